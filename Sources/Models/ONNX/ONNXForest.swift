import Formats
import Graph
import TensorCore

/// Decision trees as attributes list them.
extension ONNXStep {
  /// The numbers of leaves: those of `target_weights`, as the list is called.
  func listedWeights(_ role: String) throws(ApusError) -> [Float] {
    if case .tensor(let stored) = attribute("\(role)_weights_as_tensor") {
      return try tensor(stored).floats()
    }
    return try floats("\(role)_weights") ?? []
  }

  /// Trees in lists with an entry for each node, and others with an entry for each number of a leaf.
  /// - Parameter role: `target` or `class`.
  func listedForest(_ role: String) throws(ApusError) -> Forest {
    passOver("nodes_hitrates", "nodes_hitrates_as_tensor")
    let list = try ONNXNodeList(self)
    var leaves = [[Forest.Leaf]](repeating: [], count: list.count)
    let trees = try integers("\(role)_treeids") ?? []
    let (ids, targets) = (try integers("\(role)_nodeids") ?? [], try integers("\(role)_ids") ?? [])
    let weights = try listedWeights(role)
    guard ids.count == trees.count, targets.count == trees.count, weights.count == trees.count else {
      throw ApusError(
        .malformedModel, "\(trees.count) trees, \(ids.count) nodes and \(weights.count) weights of leaves",
        expected: "as many of each")
    }
    for index in trees.indices {
      let node = try list.index(tree: trees[index], node: ids[index])
      leaves[node].append(Forest.Leaf(target: targets[index], weight: weights[index]))
    }
    return try list.forest(leaves)
  }

  /// Trees of the newest operator: nodes and leaves in two tables.
  func tabledForest() throws(ApusError) -> Forest {
    passOver("nodes_hitrates")
    func table(_ name: String) throws(ApusError) -> Tensor {
      guard case .tensor(let stored) = attribute(name) else {
        throw ApusError(.malformedModel, "no \(name)", expected: "a tensor")
      }
      return try tensor(stored)
    }
    let modes = try table("nodes_modes").integers()
    let splits = try table("nodes_splits").floats()
    let features = try integers("nodes_featureids") ?? []
    let children = try (integers("nodes_truenodeids") ?? [], integers("nodes_falsenodeids") ?? [])
    let areLeaves = try (integers("nodes_trueleafs") ?? [], integers("nodes_falseleafs") ?? [])
    let tracks = try integers("nodes_missing_value_tracks_true") ?? [Int](repeating: 0, count: modes.count)
    let (targets, weights) = (try integers("leaf_targetids") ?? [], try table("leaf_weights").floats())
    let count = modes.count
    guard
      [
        splits.count, features.count, children.0.count, children.1.count, areLeaves.0.count,
        areLeaves.1.count, tracks.count,
      ]
      .allSatisfy({ $0 == count }), targets.count == weights.count
    else {
      throw ApusError(.malformedModel, "lists of other lengths than \(count) nodes", expected: "as many")
    }
    let kinds: [Forest.Comparison] = [
      .lessOrEqual, .less, .greaterOrEqual, .greater, .equal, .notEqual, .member,
    ]
    var members = try memberships(modes)
    var nodes: [Forest.Node] = []
    var leaves: [[Forest.Leaf]] = []
    for index in 0..<count {
      guard kinds.indices.contains(modes[index]) else {
        throw ApusError(.malformedModel, "mode \(modes[index]) of node \(index)", expected: "0 to 6")
      }
      func child(_ id: Int, _ isLeaf: Int) -> Int {
        isLeaf != 0 ? id.addingReportingOverflow(count).partialValue : id
      }
      nodes.append(
        Forest.Node(
          kinds[modes[index]], feature: features[index], value: splits[index],
          isTrue: child(children.0[index], areLeaves.0[index]),
          isFalse: child(children.1[index], areLeaves.1[index]), missingIsTrue: tracks[index] != 0))
      leaves.append(modes[index] == 6 ? members.removeFirst() : [])
    }
    for index in targets.indices {
      nodes.append(Forest.Node(.leaf))
      leaves.append([Forest.Leaf(target: targets[index], weight: weights[index])])
    }
    return try Forest(nodes, roots: integers("tree_roots") ?? [], leaves: leaves)
  }

  /// The numbers of each node that asks for one of several; a number that is none ends each list.
  private func memberships(_ modes: [Int]) throws(ApusError) -> [[Forest.Leaf]] {
    let wanted = modes.count { $0 == 6 }
    guard case .tensor(let stored) = attribute("membership_values") else { return try none(wanted) }
    let lists = try tensor(stored).floats().split(
      maxSplits: .max, omittingEmptySubsequences: false, whereSeparator: \.isNaN)
    guard lists.count >= wanted else { return try none(wanted) }
    return lists.prefix(wanted).map { list in list.map { Forest.Leaf(target: 0, weight: $0) } }
  }

  private func none(_ wanted: Int) throws(ApusError) -> [[Forest.Leaf]] {
    guard wanted == 0 else {
      throw ApusError(
        .malformedModel, "membership_values for fewer than \(wanted) nodes", expected: "a list for each")
    }
    return []
  }
}

/// The nodes of trees in lists.
private struct ONNXNodeList {
  private struct Key: Hashable {
    let tree: Int
    let node: Int
  }

  private var nodes: [Forest.Node] = []
  private var places: [Key: Int] = [:]
  private var isChild: [Bool] = []

  init(_ step: ONNXStep) throws(ApusError) {
    let (trees, ids) = (try step.integers("nodes_treeids") ?? [], try step.integers("nodes_nodeids") ?? [])
    let features = try step.integers("nodes_featureids") ?? []
    let modes = try step.texts("nodes_modes") ?? []
    let children = try (step.integers("nodes_truenodeids") ?? [], step.integers("nodes_falsenodeids") ?? [])
    var values = try step.floats("nodes_values") ?? []
    if case .tensor(let stored) = step.attribute("nodes_values_as_tensor") {
      values = try step.tensor(stored).floats()
    }
    let listed = try step.integers("nodes_missing_value_tracks_true") ?? []
    let tracks = listed.isEmpty ? [Int](repeating: 0, count: trees.count) : listed
    let lengths = [
      ids.count, features.count, modes.count, children.0.count, children.1.count, values.count, tracks.count,
    ]
    guard lengths.allSatisfy({ $0 == trees.count }) else {
      throw ApusError(.malformedModel, "lists of \(lengths) entries", expected: "\(trees.count) of each")
    }
    for index in trees.indices {
      guard places.updateValue(index, forKey: Key(tree: trees[index], node: ids[index])) == nil else {
        throw ApusError(.malformedModel, "node \(ids[index]) of tree \(trees[index]) twice", expected: "once")
      }
    }
    isChild = [Bool](repeating: false, count: trees.count)
    for index in trees.indices {
      let comparison = try Self.comparison(modes[index])
      var node = Forest.Node(
        comparison, feature: features[index], value: values[index], missingIsTrue: tracks[index] != 0)
      if comparison != .leaf {
        node.isTrue = try self.index(tree: trees[index], node: children.0[index])
        node.isFalse = try self.index(tree: trees[index], node: children.1[index])
        isChild[node.isTrue] = true
        isChild[node.isFalse] = true
      }
      nodes.append(node)
    }
  }

  var count: Int { nodes.count }

  func index(tree: Int, node: Int) throws(ApusError) -> Int {
    guard let index = places[Key(tree: tree, node: node)] else {
      throw ApusError(.malformedModel, "node \(node) of tree \(tree)", expected: "one of the listed nodes")
    }
    return index
  }

  func forest(_ leaves: [[Forest.Leaf]]) throws(ApusError) -> Forest {
    try Forest(nodes, roots: nodes.indices.filter { !isChild[$0] }, leaves: leaves)
  }

  private static func comparison(_ mode: String) throws(ApusError) -> Forest.Comparison {
    switch ExactText(mode) {
    case "BRANCH_LEQ": .lessOrEqual
    case "BRANCH_LT": .less
    case "BRANCH_GTE": .greaterOrEqual
    case "BRANCH_GT": .greater
    case "BRANCH_EQ": .equal
    case "BRANCH_NEQ": .notEqual
    case "LEAF": .leaf
    default: throw ApusError(.malformedModel, "the mode '\(mode.clipped)'", expected: "BRANCH_… or LEAF")
    }
  }
}

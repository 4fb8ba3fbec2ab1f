import TensorCore

/// Decision trees in one table of nodes, children behind their parents or before them, but none in a circle.
package struct Forest: Sendable {
  /// How a node compares a feature with its number.
  package enum Comparison: Sendable {
    case lessOrEqual, less, greaterOrEqual, greater, equal, notEqual
    /// Whether the feature is one of the numbers that the node has in the place of leaves.
    case member
    case leaf
  }

  /// A node: a comparison with two children, or the range of a leaf's numbers.
  package struct Node: Sendable {
    package var comparison: Comparison
    package var feature: Int
    package var value: Float
    package var isTrue: Int
    package var isFalse: Int
    /// Whether a feature that is no number counts as a comparison that holds.
    package var missingIsTrue: Bool

    package init(
      _ comparison: Comparison, feature: Int = 0, value: Float = 0, isTrue: Int = 0, isFalse: Int = 0,
      missingIsTrue: Bool = false
    ) {
      self.comparison = comparison
      self.feature = feature
      self.value = value
      (self.isTrue, self.isFalse, self.missingIsTrue) = (isTrue, isFalse, missingIsTrue)
    }
  }

  /// What a leaf says of a target.
  package struct Leaf: Sendable {
    package let target: Int
    package let weight: Float

    package init(target: Int, weight: Float) { (self.target, self.weight) = (target, weight) }
  }

  package let roots: [Int]
  private let nodes: [Node]
  private let table: [Leaf]
  /// Of each node, where its leaves lie in the table.
  private let ranges: [Range<Int>]
  /// Features that rows must have.
  package let features: Int
  /// Targets that leaves speak of.
  package let targets: Int

  /// - Parameters:
  ///   - leaves: of each node.
  /// - Throws: ``ApusError`` of kind `malformedModel` for children that do not exist or lead in a circle, and for negative
  ///   features and targets.
  package init(_ nodes: [Node], roots: [Int], leaves: [[Leaf]]) throws(ApusError) {
    (self.nodes, self.roots) = (nodes, roots)
    var (table, ranges): ([Leaf], [Range<Int>]) = ([], [])
    for leaves in leaves {
      ranges.append(table.count..<(table.count + leaves.count))
      table += leaves
    }
    (self.table, self.ranges) = (table, ranges)
    let asked = nodes.filter { $0.comparison != .leaf }.map(\.feature)
    guard leaves.count == nodes.count, asked.allSatisfy({ (0..<(1 << 31)).contains($0) }),
      table.allSatisfy({ (0..<(1 << 31)).contains($0.target) }), roots.allSatisfy(nodes.indices.contains)
    else {
      throw ApusError(
        .malformedModel, "features, targets or roots outside what there is", expected: "numbers from 0 on")
    }
    features = (asked.max() ?? -1) + 1
    targets = (table.map(\.target).max() ?? -1) + 1
    try Self.check(nodes, roots)
  }

  /// Every node is the child of one other at most, and none is its own descendant.
  private static func check(_ nodes: [Node], _ roots: [Int]) throws(ApusError) {
    var isSeen = [Bool](repeating: false, count: nodes.count)
    var pending = roots
    while let index = pending.popLast() {
      guard nodes.indices.contains(index), !isSeen[index] else {
        throw ApusError(
          .malformedModel, "node \(index) of a tree", expected: "one of \(nodes.count), the child of one")
      }
      isSeen[index] = true
      if nodes[index].comparison != .leaf { pending += [nodes[index].isTrue, nodes[index].isFalse] }
    }
  }

  /// What the leaf says that a row comes to.
  @inline(__always)
  func leaves(of row: UnsafePointer<Float>, _ root: Int) -> ArraySlice<Leaf> {
    var index = root
    while true {
      let node = nodes[index]
      if node.comparison == .leaf { return table[ranges[index]] }
      let x = row[node.feature]
      let holds =
        switch node.comparison {
        case .lessOrEqual: x <= node.value
        case .less: x < node.value
        case .greaterOrEqual: x >= node.value
        case .greater: x > node.value
        case .equal: x == node.value
        case .notEqual: x != node.value
        case .member: table[ranges[index]].contains { $0.weight == x }
        case .leaf: false
        }
      index = holds || node.missingIsTrue && x.isNaN ? node.isTrue : node.isFalse
    }
  }
}

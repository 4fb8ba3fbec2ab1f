import Graph
import TensorCore

/// Which values of two graphs stand for the same numbers.
///
/// Graphs that are the same but for the elements of constants, such as those of one model at two precisions, are
/// matched value by value. Others are
/// matched by what their nodes do and the shapes of the results: the longest common subsequence in run order
/// proposes pairs, names deciding between equals, and a pair is kept only when both are computed from the same
/// matched values.
package struct LayerAlignment: Sendable {
  package struct Pair: Sendable {
    package let baseline: Value
    package let other: Value
    /// The nodes of either graph that make up the layer; none for inputs.
    package let baselineNodes: [Int]
    package let otherNodes: [Int]
  }

  /// Inputs first, then results in the other graph's run order.
  package private(set) var pairs: [Pair] = []
  /// Nodes of layers without a counterpart.
  package private(set) var unmatchedInBaseline: [Int] = []
  package private(set) var unmatchedInOther: [Int] = []

  /// - Throws: ``ApusError`` of kind `argument` when the inputs are not of the same shapes.
  package init(_ baseline: Graph, _ other: Graph) throws(ApusError) {
    pairs = try Self.inputs(baseline, other)
    if baseline.hasStructure(of: other) {
      for (index, node) in other.nodes.enumerated() {
        for output in node.outputs {
          pairs.append(Pair(baseline: output, other: output, baselineNodes: [index], otherNodes: [index]))
        }
      }
    } else {
      try match(baseline, other)
    }
  }

  private static func inputs(_ baseline: Graph, _ other: Graph) throws(ApusError) -> [Pair] {
    let shapes = [baseline, other].map { graph in graph.inputs.map { graph[$0].type.shape } }
    guard shapes[0] == shapes[1] else {
      throw ApusError(
        .argument, "inputs of shapes \(shapes[1])",
        expected: "\(shapes[0]), as the model it is compared with has")
    }
    return zip(baseline.inputs, other.inputs).map {
      Pair(baseline: $0, other: $1, baselineNodes: [], otherNodes: [])
    }
  }

  private mutating func match(_ baseline: Graph, _ other: Graph) throws(ApusError) {
    let units = (baseline: LayerUnit.units(of: baseline), other: LayerUnit.units(of: other))
    let proposed = try SequenceAlignment.pairs(units.baseline.count, units.other.count) {
      units.baseline[$0].likeness(to: units.other[$1])
    }
    let partners = Dictionary(uniqueKeysWithValues: proposed.map { ($0.second, $0.first) })
    var free = Set(units.baseline.indices).subtracting(partners.values)
    var confirmation = Confirmation(baseline, other, pairs)
    for (position, unit) in units.other.enumerated() {
      let alike = free.filter { units.baseline[$0].likeness(to: unit) != nil }.sorted()
      let partner = ([partners[position]].compactMap(\.self) + alike).first {
        confirmation.confirms(units.baseline[$0], unit)
      }
      if let proposed = partners[position], proposed != partner { free.insert(proposed) }
      guard let partner else {
        unmatchedInOther += unit.nodes
        continue
      }
      free.remove(partner)
      let matched = Self.pairs(units.baseline[partner], unit, baseline, other)
      confirmation.add(matched)
      pairs += matched
    }
    unmatchedInBaseline = free.sorted().flatMap { units.baseline[$0].nodes }
  }

  /// The results of two units that are one layer: of each node where both have the same ones, else of the last.
  private static func pairs(
    _ baselineUnit: LayerUnit, _ otherUnit: LayerUnit, _ baseline: Graph, _ other: Graph
  ) -> [Pair] {
    let isStepwise =
      baselineUnit.nodes.count == otherUnit.nodes.count
      && zip(baselineUnit.nodes, otherUnit.nodes).allSatisfy {
        baseline.nodes[$0].operation.isSameKind(as: other.nodes[$1].operation)
      }
    let parts =
      isStepwise
      ? zip(baselineUnit.nodes, otherUnit.nodes).map { ([$0], [$1]) }
      : [(baselineUnit.nodes, otherUnit.nodes)]
    return parts.flatMap { nodes -> [Pair] in
      guard let baselineLast = nodes.0.last, let otherLast = nodes.1.last else { return [] }
      return zip(baseline.nodes[baselineLast].outputs, other.nodes[otherLast].outputs).map {
        Pair(baseline: $0, other: $1, baselineNodes: nodes.0, otherNodes: nodes.1)
      }
    }
  }
}

/// Finds out whether two layers are computed from the same matched values.
private struct Confirmation {
  private let baselineOrigins: ValueOrigins
  private let otherOrigins: ValueOrigins
  private var counterparts: [Value: Value] = [:]
  private var matched: Set<Value> = []

  init(_ baseline: Graph, _ other: Graph, _ pairs: [LayerAlignment.Pair]) {
    baselineOrigins = ValueOrigins(baseline)
    otherOrigins = ValueOrigins(other)
    add(pairs)
  }

  mutating func add(_ pairs: [LayerAlignment.Pair]) {
    for pair in pairs {
      counterparts[pair.other] = pair.baseline
      matched.insert(pair.baseline)
    }
  }

  func confirms(_ baseline: LayerUnit, _ other: LayerUnit) -> Bool {
    let origin = otherOrigins.origin(of: other.nodes) { counterparts[$0] != nil }
    let wanted = Set(origin.values.compactMap { counterparts[$0] })
    return baselineOrigins.origin(of: baseline.nodes) { matched.contains($0) }.values == wanted
  }
}

extension Graph {
  /// Whether both have the same operations on values of the same names and shapes, whatever the elements of
  /// constants are.
  fileprivate func hasStructure(of other: Graph) -> Bool {
    guard nodes.count == other.nodes.count, values.count == other.values.count, inputs == other.inputs,
      outputs == other.outputs,
      zip(values, other.values).allSatisfy({ $0.name == $1.name && $0.type.shape == $1.type.shape })
    else { return false }
    return zip(nodes, other.nodes).allSatisfy { a, b in
      a.operation.isSameKind(as: b.operation) && a.inputs == b.inputs && a.outputs == b.outputs
    }
  }
}

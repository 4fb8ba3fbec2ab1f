import Graph
import TensorCore

/// A node with those that other forms of the same model have in it: a separate activation, and sums and products
/// with constants, which a converter may have made part of the weights and the bias.
struct LayerUnit {
  /// Positions of nodes in the graph, in run order.
  private(set) var nodes: [Int]
  /// What the first node does; the same for operations that do the same.
  let family: LayerFamily
  private let operation: any Operation
  /// The shape of the weights; nil for a node without.
  let weights: Shape?
  private(set) var results: [Shape]
  /// The first of the names that the last result has, without what converters append.
  private(set) var name: Substring

  /// The units of a graph, in the order of their first nodes. Nodes that only change how numbers are stored are no
  /// layers of their own.
  static func units(of graph: Graph) -> [LayerUnit] {
    let consumers = graph.consumers()
    var units: [LayerUnit] = []
    /// Units by the value that they end in.
    var ends: [Value: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where !node.operation.onlyStores {
      guard let output = node.outputs.first else { continue }
      if let operand = continued(node, in: graph), let unit = ends[operand],
        units[unit].takes(node.operation), consumers[operand.index].count == 1,
        !graph.outputs.contains(operand)
      {
        units[unit].append(index, node, in: graph)
        ends[output] = unit
      } else {
        ends[output] = units.count
        units.append(LayerUnit(index, node, in: graph))
      }
    }
    return units
  }

  private init(_ index: Int, _ node: Node, in graph: Graph) {
    nodes = [index]
    operation = node.operation
    family = LayerFamily(operation)
    let operand = node.inputs.count > 1 ? node.inputs[1] : nil
    weights = family.hasWeights ? operand.map { graph[$0].type.shape } : nil
    results = node.outputs.map { graph[$0].type.shape }
    name = Self.name(node, in: graph)
  }

  private mutating func append(_ index: Int, _ node: Node, in graph: Graph) {
    nodes.append(index)
    results = node.outputs.map { graph[$0].type.shape }
    name = Self.name(node, in: graph)
  }

  private func takes(_ operation: any Operation) -> Bool {
    operation is Relu || family.hasWeights
  }

  /// The operand that a node only limits, or scales and shifts by constants; nil for other nodes.
  private static func continued(_ node: Node, in graph: Graph) -> Value? {
    let known = node.inputs.filter { $0.map { graph[$0].constant != nil } ?? true }
    guard let operand = node.inputs.compactMap(\.self).first(where: { graph[$0].constant == nil }),
      let output = node.outputs.first, graph[operand].type.shape == graph[output].type.shape
    else { return nil }
    if node.operation is Relu { return operand }
    let isAffine = node.operation.isArithmetic && node.inputs.count == 2 && known.count == 1
    return isAffine ? operand : nil
  }

  /// How strongly two units look like the same layer; nil when they cannot be: other operations or shapes.
  func likeness(to other: LayerUnit) -> Int? {
    guard family == other.family, results == other.results else { return nil }
    var likeness = family.onlyMoves ? 2 : 4
    if let weights, let others = other.weights {
      let isSame =
        operation.isSameKind(as: other.operation)
        ? weights == others : weights.elementCount == others.elementCount
      guard isSame else { return nil }
      likeness += 4
    }
    return name == other.name && !name.isEmpty ? likeness + 3 : likeness
  }

  private static func name(_ node: Node, in graph: Graph) -> Substring {
    guard let output = node.outputs.first else { return "" }
    var name = graph[output].name.prefix { $0 != ";" }
    for suffix in ["_int8", "_uint8", "_int16", "_quantized", "_dequantized", "_float", "_requantized"] {
      if name.hasSuffix(suffix) { name = name.dropLast(suffix.count) }
    }
    return name
  }
}

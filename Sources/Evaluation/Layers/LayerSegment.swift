import Graph
import TensorCore

/// The nodes of a graph between some matched values and the next one, which can be run alone: what error they make
/// shows when they are given the baseline's numbers.
struct LayerSegment {
  /// A matched value that the segment starts from.
  struct Operand {
    /// The position of its layer.
    let layer: Int
    let value: Value
    /// The node that would have written it; −1 for an input.
    let node: Int
  }

  /// In the order of the nodes that would have written them.
  let operands: [Operand]
  /// In run order.
  private let nodes: [Int]

  /// The segment that ends with a node; nil when it starts from values of types that cannot be made of numbers.
  /// - Parameter positions: the layer of each matched value.
  init?(to node: Int, in graph: Graph, _ origins: ValueOrigins, positions: [Value: Int]) {
    let origin = origins.origin(of: [node]) { positions[$0] != nil }
    guard origin.values.allSatisfy({ Self.types.contains(graph[$0].type.dataType) }) else { return nil }
    operands = origin.values.compactMap { value in
      positions[value].map { Operand(layer: $0, value: value, node: origins.producers[value.index] ?? -1) }
    }.sorted { ($0.node, $0.value.index) < ($1.node, $1.value.index) }
    nodes = origin.nodes.sorted()
  }

  private static let types: Set<DataType> = [.float32, .int8, .uint8, .int16, .int32, .int64, .bool]

  /// Runs the segment in `workspace`, whose memory it needs for itself, from elements for each operand.
  func run(in workspace: Workspace, operand: (Operand) throws(ApusError) -> Tensor) throws(ApusError) {
    var pending = operands[...]
    for node in nodes {
      // No sooner than its own node would have: until then its memory may belong to other values.
      while let next = pending.first, next.node < node {
        try workspace.set(next.value, operand(next))
        pending.removeFirst()
      }
      try workspace.run(nodes: node..<(node + 1))
    }
  }
}

import Graph
import Kernels
import Networks
import TensorCore

/// The memory of a network, from its graph alone: nothing is packed.
struct NetworkSize {
  /// Elements of all tensors that the model brings and a node reads, but for shapes and indices.
  let parameterCount: Int
  /// Additions and multiplications of one run, counted each.
  let operations: Double
  /// Bytes of the results that are needed at once, where most are.
  let activationBytes: Int
  /// Bytes of all weights as they are stored.
  private let storedBytes: Int
  /// Bytes of all weights where those that a precision decides on are packed for it.
  private let packedBytes: [Precision: Int]

  init(_ graph: Graph) {
    let types = graph.weightTypes
    parameterCount = types.reduce(0) { $0 &+ $1.shape.elementCount }
    storedBytes = types.reduce(0) { $0 &+ $1.byteCount }
    packedBytes = Dictionary(
      uniqueKeysWithValues: Precision.allCases.map { ($0, Self.packedBytes(graph, $0)) })
    operations = graph.nodes.reduce(0.0) { sum, node in
      let results = node.outputs.map { graph[$0].type }
      return sum + 2 * Double(node.operation.multiplyAccumulates(graph.operands(of: node), results: results))
    }
    activationBytes = Self.activationBytes(graph)
  }

  /// - Parameter precision: of linear layers and convolutions; nil for a file, whose numbers stay as stored.
  func weightBytes(in precision: Precision?) -> Int {
    precision.flatMap { packedBytes[$0] } ?? storedBytes
  }

  /// Bytes of the matrices of linear layers and the filters of convolutions as they are packed, of what is projected and
  /// packed, and of what other operations read as it is stored.
  private static func packedBytes(_ graph: Graph, _ precision: Precision) -> Int {
    let precision = graph.computedPrecision(precision)
    var packed: [WeightFormat: [Value]] = [:]
    var (others, bytes) = ([Value](), 0)
    for node in graph.nodes {
      let operands = graph.operands(of: node)
      let format = node.operation.packedFormat(operands, precision, .best)
      if let products = node.operation as? HeadProducts {
        bytes &+= products.packedElementCount(operands) &* (format ?? .float32).elementBytes
        continue
      }
      let prepared = format == nil ? [] : node.operation.preparedInputs(operands)
      for (position, input) in node.inputs.enumerated() {
        guard let input else { continue }
        if let format, prepared.contains(position), graph[input].type.shape.rank > 1 {
          packed[format, default: []].append(input)
        } else {
          others.append(input)
        }
      }
    }
    for (format, values) in packed {
      for value in graph.weights(among: values) {
        bytes &+= graph[value].type.shape.elementCount &* format.elementBytes
      }
    }
    return graph.weights(among: others).reduce(bytes) { $0 &+ graph[$1].type.byteCount }
  }

  /// Each result lives from the node that makes it to the last that reads it.
  private static func activationBytes(_ graph: Graph) -> Int {
    var last = [Int: Int](), living = 0, most = 0
    for (index, node) in graph.nodes.enumerated() {
      for case let input? in node.inputs where graph[input].constant == nil { last[input.index] = index }
    }
    for output in graph.outputs { last[output.index] = graph.nodes.count }
    var ends = [Int: Int]()
    for input in graph.inputs {
      living &+= graph[input].type.byteCount
      ends[last[input.index] ?? 0, default: 0] &+= graph[input].type.byteCount
    }
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs {
        let bytes = graph[output].type.byteCount
        living &+= bytes
        ends[last[output.index] ?? index, default: 0] &+= bytes
      }
      most = max(most, living)
      living &-= ends[index] ?? 0
    }
    return most
  }
}

import Graph
import TensorCore

/// What a network takes, by its graph alone: nothing is packed.
struct NetworkSize {
  /// Elements of all tensors that the model brings and a node reads, but for shapes and indices.
  let parameterCount: Int
  /// Additions and multiplications of one run, counted each.
  let operations: Double
  /// Bytes of the results that are needed at once, where most are.
  let activationBytes: Int
  /// Elements of weights that linear layers pack, in the precision of the model.
  private let linearElements: Int
  /// Bytes of all weights, and of those besides, as they are stored.
  private let (storedBytes, otherBytes): (Int, Int)

  init(_ graph: Graph) {
    let types = graph.weightTypes
    parameterCount = types.reduce(0) { $0 &+ $1.shape.elementCount }
    let linear = Self.linearWeights(graph)
    linearElements = linear.reduce(0) { $0 &+ graph[$1].type.shape.elementCount }
    let linearBytes = linear.reduce(0) { $0 &+ (graph[$1].constant?.type.byteCount ?? 0) }
    let storedBytes = types.reduce(0) { $0 &+ $1.byteCount }
    (self.storedBytes, otherBytes) = (storedBytes, max(0, storedBytes - linearBytes))
    operations = graph.nodes.reduce(0.0) { sum, node in
      let results = node.outputs.map { graph[$0].type }
      return sum + 2 * Double(node.operation.multiplyAccumulates(graph.operands(of: node), results: results))
    }
    activationBytes = Self.activationBytes(graph)
  }

  /// - Parameter precision: that of linear layers; nil for a file, whose numbers stay as they are stored.
  func weightBytes(in precision: Precision?) -> Int {
    switch precision {
    case nil: storedBytes
    case .float32: linearElements &* 4 &+ otherBytes
    case .bfloat16: linearElements &* 2 &+ otherBytes
    case .int8: linearElements &+ otherBytes
    }
  }

  /// The matrices of linear layers, each once.
  private static func linearWeights(_ graph: Graph) -> Set<Value> {
    var weights: Set<Value> = []
    for node in graph.nodes where node.operation is Linear {
      let prepared = node.operation.preparedInputs(graph.operands(of: node))
      for (position, input) in node.inputs.enumerated() {
        guard let input, prepared.contains(position), let constant = graph[input].constant,
          constant.shape.dimensions.count > 1
        else { continue }
        weights.insert(input)
      }
    }
    return weights
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

import Formats
import Graph
import Models
import Networks
import TensorCore

/// Runs a network and gives the real numbers that some of its tensors stand for.
struct NetworkRun {
  private let workspace: Workspace
  private let types: [TensorType]
  private let inputs: [TensorType]

  /// - Parameter tensors: of the main subgraph, in the order in which numbers are wanted.
  init(_ importer: TFLiteImporter, _ tensors: [Int], threads: Int) throws(ApusError) {
    var (graph, values) = try importer.tracedGraph()
    graph.outputs = tensors.compactMap { values[$0] }
    guard graph.outputs.count == tensors.count else {
      throw ApusError(.malformedModel, "a tensor that no operator names")
    }
    var options = CompileOptions()
    options.threads = threads
    types = graph.outputs.map { graph[$0].type }
    inputs = graph.inputs.map { graph[$0].type }
    workspace = try Compiler.compile(graph, options).makeWorkspace()
  }

  /// Runs on float inputs, which are quantized where the network takes integers.
  func run(_ tensors: [Tensor]) throws(ApusError) {
    var given: [Tensor] = []
    for (tensor, type) in zip(tensors, inputs) { given.append(try Self.quantized(tensor, type)) }
    try workspace.setInputs(given)
    try workspace.run()
  }

  /// The numbers of a tensor after a run.
  func numbers(_ place: Int) -> [Float] {
    let bytes = workspace.outputBytes(place)
    guard let quantization = types[place].quantization else { return Array(bytes.bindMemory(to: Float.self)) }
    let (scale, zeroPoint) = (quantization.scale, quantization.zeroPoint)
    switch types[place].dataType {
    case .int8: return bytes.bindMemory(to: Int8.self).map { scale * Float(Int32($0) - zeroPoint) }
    case .int16: return bytes.bindMemory(to: Int16.self).map { scale * Float(Int32($0) - zeroPoint) }
    default: return Array(bytes.bindMemory(to: Float.self))
    }
  }

  private static func quantized(_ tensor: Tensor, _ type: TensorType) throws(ApusError) -> Tensor {
    guard tensor.dataType == .float32, type.dataType == .int8, let quantization = type.quantization else {
      return tensor
    }
    let zeroPoint = Float(quantization.zeroPoint)
    let values: [Float] = try tensor.elements()
    let stored = values.map { value in
      let quantum = (value / quantization.scale).rounded(.toNearestOrAwayFromZero) + zeroPoint
      return Int8(max(-128, min(127, quantum)))
    }
    return try Tensor(stored, shape: tensor.shape)
  }
}

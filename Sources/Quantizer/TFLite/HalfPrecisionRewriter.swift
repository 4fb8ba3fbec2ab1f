import Formats
import Models
import TensorCore

/// Writes a float network with the weights of its linear operators in float16, each widened by DEQUANTIZE, as the
/// TFLite converter does.
struct HalfPrecisionRewriter {
  /// What became of a tensor of weights.
  struct Layer {
    let tensor: TFLiteTensor
    let step: TFLiteOperator
    let error: SignalToNoise
  }

  private(set) var draft: TFLiteDraft
  private(set) var layers: [Layer] = []

  /// - Parameter bytes: the file of the network.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what Apus does not run or write, of kind `argument` when
  ///   there are no float32 weights.
  init(_ network: FloatNetwork, _ bytes: [UInt8]) throws(ApusError) {
    let graph = network.subgraph
    draft = try TFLiteDraft(network.model, bytes: bytes)
    let steps = draft.steps
    draft.steps = []
    var narrowed: Set<Int> = []
    for step in graph.operators {
      guard let place = Self.weights(step), graph.tensors[place].type == .float32,
        let data = graph.tensors[place].data, narrowed.insert(place).inserted
      else { continue }
      try narrow(graph.tensors[place], Array(bytes[data]), step)
    }
    draft.steps += steps
    guard !layers.isEmpty else {
      throw ApusError(
        .argument, "no operator with float32 weights",
        expected: "CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED or TRANSPOSE_CONV")
    }
  }

  private static func weights(_ step: TFLiteOperator) -> Int? {
    switch step.builtin {
    case .CONV_2D, .DEPTHWISE_CONV_2D, .FULLY_CONNECTED, .TRANSPOSE_CONV:
      step.inputs.count > 1 ? step.inputs[1] : nil
    default: nil
    }
  }

  /// The tensor becomes the result of DEQUANTIZE; its elements go to one of float16.
  private mutating func narrow(
    _ tensor: TFLiteTensor, _ bytes: [UInt8], _ step: TFLiteOperator
  ) throws(ApusError) {
    let stored = try Tensor(
      TensorType(.float32, tensor.shape), storage: TensorStorage(copying: bytes))
    let half = try NarrowedFloats.tensor(stored, as: .float16, named: tensor.label)
    let source = draft.add(
      .init(
        tensor.name + "_float16", .float16, tensor.shape.dimensions, data: half.withBytes { Array($0) }))
    draft.tensors[tensor.index].data = nil
    draft.steps.append(.init(.DEQUANTIZE, version: 3, inputs: [source], outputs: [tensor.index]))
    layers.append(
      Layer(
        tensor: tensor, step: step,
        error: try NarrowedFloats.error(stored, as: .float16, named: tensor.label)))
  }
}

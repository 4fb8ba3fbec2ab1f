import Formats
import Models
import TensorCore

/// Writes a float network with the weights of its linear operators in fewer bits, each widened by DEQUANTIZE: in float16,
/// as the TFLite converter does, or in int8 with a scale for each channel, as LiteRT's weight-only recipe does.
struct WidenedWeightsRewriter {
  enum Form { case float16, int8 }

  /// The result for a tensor of weights.
  struct Layer {
    let tensor: TFLiteTensor
    let step: TFLiteOperator
    let type: DataType
    let byteCount: Int
    let error: SignalToNoise
    let clipping: Clipping?
  }

  private let network: FloatNetwork
  private let form: Form
  private let means: [Int: ChannelMeans]
  /// Tensors that have other elements now.
  private var replaced: Set<Int> = []
  private(set) var draft: TFLiteDraft
  private(set) var layers: [Layer] = []

  /// - Parameters:
  ///   - means: of the activations, for biases that make up for what rounding weights does to the mean of results;
  ///     none to leave biases as they are.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what Apus does not run or write, of kind `argument` when
  ///   there are no weights in more bits.
  init(
    _ network: FloatNetwork, as form: Form, means: [Int: ChannelMeans] = [:]
  ) throws(ApusError) {
    let graph = network.subgraph
    self.network = network
    self.form = form
    self.means = means
    draft = try TFLiteDraft(network.model)
    let steps = draft.steps
    draft.steps = []
    for step in graph.operators where !network.isKept(step) {
      guard let axis = Self.axis(step), step.inputs.count > 1, let place = step.inputs[1],
        graph.tensors[place].type == .float32, let stored = network.constant(place),
        stored.dataType == .float32,
        form == .int8 || graph.tensors[place].data != nil, replaced.insert(place).inserted
      else { continue }
      try narrow(graph.tensors[place], stored, axis: axis, step)
    }
    // What was float16 is widened by an operator already.
    draft.steps += steps.filter { $0.builtin != .DEQUANTIZE || replaced.isDisjoint(with: $0.outputs) }
    guard !layers.isEmpty else {
      throw ApusError(
        .argument, "no operator with \(form == .int8 ? "float" : "float32") weights",
        expected: "CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED or TRANSPOSE_CONV")
    }
    dropUnread()
  }

  /// The axis of the weights whose slices make one channel of the results each; nil for other operators.
  private static func axis(_ step: TFLiteOperator) -> Int? {
    switch step.builtin {
    case .CONV_2D, .FULLY_CONNECTED, .TRANSPOSE_CONV: 0
    case .DEPTHWISE_CONV_2D: 3
    default: nil
    }
  }

  /// The tensor becomes the result of DEQUANTIZE; its elements go to one of fewer bits.
  private mutating func narrow(
    _ tensor: TFLiteTensor, _ stored: Tensor, axis: Int, _ step: TFLiteOperator
  ) throws(ApusError) {
    let source: TFLiteDraft.Tensor
    let layer: Layer
    let shape = tensor.shape.dimensions
    switch form {
    case .float16:
      let half = try NarrowedFloats.tensor(stored, as: .float16, named: tensor.label)
      source = .init(tensor.name + "_float16", .float16, shape, data: half.withBytes { Array($0) })
      layer = Layer(
        tensor: tensor, step: step, type: .float16, byteCount: half.type.byteCount,
        error: try NarrowedFloats.error(stored, as: .float16, named: tensor.label), clipping: nil)
    case .int8:
      let weights = try ChannelWeights(stored, axis: axis, named: tensor.label) { _ in 0 }
      let zeros = [Int32](repeating: 0, count: weights.scales.count)
      source = .init(
        tensor.name + "_int8", .int8, shape, data: weights.elements.map { UInt8(bitPattern: $0) },
        quantization: try Quantization(scales: weights.scales, zeroPoints: zeros, axis: axis))
      layer = Layer(
        tensor: tensor, step: step, type: .int8, byteCount: weights.elements.count + 4 * weights.scales.count,
        error: weights.error, clipping: weights.clipping)
      try correctBias(of: step, weights)
    }
    draft.tensors[tensor.index].data = nil
    draft.steps.append(
      .init(
        .DEQUANTIZE, version: form == .int8 ? 5 : 3, inputs: [draft.add(source)], outputs: [tensor.index]))
    layers.append(layer)
  }

  /// Takes from the bias by how much the rounding of the weights moves the mean of each result.
  private mutating func correctBias(of step: TFLiteOperator, _ weights: ChannelWeights) throws(ApusError) {
    guard let input = step.inputs[0], let means = means[input], step.inputs.count > 2,
      let place = step.inputs[2],
      let stored = network.constant(place), stored.dataType == .float32
    else { return }
    let shifts = weights.shifts(means.values)
    let bias: [Float] = try stored.elements()
    guard shifts.count == bias.count, replaced.insert(place).inserted else { return }
    let corrected = try Tensor(zip(bias, shifts).map { $0 - Float($1) }, shape: stored.shape)
    draft.tensors[place].data = corrected.withBytes { Array($0) }
  }

  /// Constants that nothing reads any more take no room.
  private mutating func dropUnread() {
    let read = Set(draft.steps.flatMap { $0.inputs.compactMap(\.self) } + draft.outputs)
    for index in draft.tensors.indices where !read.contains(index) { draft.tensors[index].data = nil }
  }
}

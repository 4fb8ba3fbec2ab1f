import Formats
import TensorCore

/// Writes a float network as one of integer activations and int8 weights, by the rules of ``IntegerRule``. Operators that are
/// kept stay floats, with QUANTIZE and DEQUANTIZE where they meet the others.
struct IntegerRewriter {
  /// The result for an operator's weights.
  struct Layer {
    let step: TFLiteOperator
    let weights: ChannelWeights
    let shape: [Int]
  }

  let network: FloatNetwork
  let quantizations: [Int: Quantization]
  let activations: ActivationType
  private let takesFloats: Bool
  private let means: [Int: ChannelMeans]
  var draft = TFLiteDraft()
  private(set) var layers: [Layer] = []
  /// The tensors of the draft for each activation, as integers and as float32, and for each constant in each form.
  var integers: [Int: Int] = [:]
  var floats: [Int: Int] = [:]
  var constants: [ConstantForm: Int] = [:]

  struct ConstantForm: Hashable {
    let tensor: Int
    let quantization: Quantization?
  }

  /// - Parameters:
  ///   - quantizations: the scale and zero point of every activation.
  ///   - means: of the activations, for biases that make up for what rounding weights does to the mean of results;
  ///     none to leave biases as they are.
  ///   - takesFloats: whether inputs and outputs stay float32.
  init(
    _ network: FloatNetwork, _ quantizations: [Int: Quantization], _ activations: ActivationType = .int8,
    means: [Int: ChannelMeans] = [:],
    takesFloats: Bool
  ) throws(ApusError) {
    self.network = network
    self.quantizations = quantizations
    self.activations = activations
    self.takesFloats = takesFloats
    self.means = means
    draft.description = network.model.description
    draft.name = network.subgraph.name
    for tensor in network.subgraph.inputs { draft.inputs.append(try input(tensor)) }
    for step in network.steps {
      if network.isKept(step) { try keep(step) } else { try add(step) }
    }
    for tensor in network.subgraph.outputs { draft.outputs.append(try output(tensor)) }
    draft.signatures = network.model.signatures.map { signature($0) }
  }

  /// The draft's tensor that stands for an activation.
  func tensor(_ activation: Int) -> Int? { integers[activation] ?? floats[activation] }

  /// Whether activations have 16 bits, and biases 64.
  var isWide: Bool { activations == .int16 }
  var type: TFLiteTensorType { isWide ? .int16 : .int8 }
  var ending: String { isWide ? "_int16" : "_int8" }
  /// The largest magnitude of a bias, with which most of the range is left for the sums: of 32 bits, or of the 48 that the
  /// reference kernels multiply.
  private var largestBias: Float { isWide ? 0x1p42 : 0x1p29 }

  /// The options of an operator. Sums of int16 have any scales, not powers of two alone.
  private func options(_ step: TFLiteOperator) -> (any TFLiteOptions)? {
    guard isWide, var addition = step.options as? AdditionOptions else { return step.options }
    addition.powerOfTwoScale = false
    return addition
  }

  /// The tensor that callers give.
  private mutating func input(_ tensor: Int) throws(ApusError) -> Int {
    guard network.isActivation(tensor) else { return try plain(tensor) }
    return takesFloats ? try float(tensor) : try integer(tensor)
  }

  /// The tensor that callers get.
  private mutating func output(_ tensor: Int) throws(ApusError) -> Int {
    guard network.isActivation(tensor) else { return try plain(tensor) }
    let given = takesFloats ? try float(tensor) : try integer(tensor)
    // Callers know it by the name that it had, whatever it is made of.
    let name = network.subgraph.tensors[tensor].name
    for (form, ending) in [(integers[tensor], ending), (floats[tensor], "_float")] {
      if let form { draft.tensors[form].name = form == given ? name : name + ending }
    }
    return given
  }

  /// An operator that stays as it is, with its constants.
  private mutating func keep(_ step: TFLiteOperator) throws(ApusError) {
    guard let builtin = step.builtin else { return }
    do {
      var inputs: [Int?] = []
      for tensor in step.inputs {
        inputs.append(try tensor.map { (place) throws(ApusError) in try float(place) })
      }
      var outputs: [Int] = []
      for tensor in step.outputs { outputs.append(try float(tensor)) }
      draft.steps.append(
        .init(builtin, version: step.code.version, inputs: inputs, outputs: outputs, options: step.options))
    } catch {
      throw error.at(step.label)
    }
  }

  private mutating func add(_ step: TFLiteOperator) throws(ApusError) {
    guard let builtin = step.builtin, let rule = IntegerRule.of(builtin, activations) else { return }
    do {
      var inputs: [Int?] = []
      if case .weighted(let axis) = rule.kind(activations),
        step.inputs.contains(where: { $0.map(network.isActivation) ?? false })
      {
        inputs = try weighted(step, axis: axis)
      } else {
        for tensor in step.inputs { inputs.append(try operand(tensor, of: step, rule)) }
      }
      var outputs: [Int] = []
      for tensor in step.outputs {
        outputs.append(network.isActivation(tensor) ? try integer(tensor) : try plain(tensor))
      }
      draft.steps.append(
        .init(
          builtin, version: rule.version(of: step), inputs: inputs, outputs: outputs, options: options(step)))
    } catch {
      throw error.at(step.label)
    }
  }

  private mutating func operand(
    _ tensor: Int?, of step: TFLiteOperator, _ rule: IntegerRule
  ) throws(ApusError) -> Int? {
    guard let tensor else { return nil }
    if network.isActivation(tensor) { return try integer(tensor) }
    guard let constant = network.constant(tensor), constant.dataType.isFloat else { return try plain(tensor) }
    let shared = step.outputs.first.flatMap { quantizations[$0] }
    if case .shared = rule.kind(activations), let shared {
      return try self.constant(tensor, constant, shared)
    }
    let range = try ScaleClasses.range(constant, named: network.label(tensor))
    return try self.constant(tensor, constant, AffineRange.quantization(range, activations))
  }

  /// Input, weights and bias of a sum of products.
  private mutating func weighted(_ step: TFLiteOperator, axis: Int) throws(ApusError) -> [Int?] {
    guard let input = step.inputs[0], let inputScale = quantizations[input]?.scale,
      let place = step.inputs[1], let stored = network.constant(place)
    else { throw ApusError(.unsupportedModel, "an input that is no activation") }
    var bias = try bias(step)
    let weights = try ChannelWeights(stored, axis: axis, named: network.label(place)) { channel in
      bias.isEmpty ? 0 : abs(bias[channel % bias.count]) / (inputScale * largestBias)
    }
    guard bias.isEmpty || bias.count == weights.scales.count else {
      throw ApusError(
        .malformedModel, "\(bias.count) biases", expected: "\(weights.scales.count), as many as results")
    }
    for (channel, shift) in weights.shifts(means[input]?.values ?? []).enumerated() where !bias.isEmpty {
      bias[channel] -= Float(shift)
    }
    layers.append(Layer(step: step, weights: weights, shape: stored.shape.dimensions))
    var inputs: [Int?] = [try integer(input)]
    let zeros = [Int32](repeating: 0, count: weights.scales.count)
    inputs.append(
      draft.add(
        .init(
          network.subgraph.tensors[place].name, .int8, stored.shape.dimensions,
          data: weights.elements.map { UInt8(bitPattern: $0) },
          quantization: try Quantization(scales: weights.scales, zeroPoints: zeros, axis: axis))))
    guard step.inputs.count > 2 else { return inputs }
    guard let tensor = step.inputs[2] else { return inputs + [nil] }
    let scales = weights.scales.map { max($0 * inputScale, .leastNormalMagnitude) }
    let limit = 2 * Double(largestBias)
    let sums = zip(bias, scales).map { bias, scale in
      Int64(max(-limit, min(limit, (Double(bias) / Double(scale)).rounded())))
    }
    inputs.append(
      draft.add(
        .init(
          network.subgraph.tensors[tensor].name, isWide ? .int64 : .int32, [bias.count],
          data: sums.flatMap { value in
            (0..<(isWide ? 8 : 4)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
          },
          quantization: try Quantization(scales: scales, zeroPoints: zeros, axis: 0))))
    return inputs
  }

  private func bias(_ step: TFLiteOperator) throws(ApusError) -> [Float] {
    guard step.inputs.count > 2, let tensor = step.inputs[2], let stored = network.constant(tensor) else {
      return []
    }
    var values: [Float] = []
    try FloatChunks(stored, named: network.label(tensor)).forEach { (_, chunk) throws(ApusError) in
      values += chunk
    }
    return values
  }
}

import Formats
import TensorCore

/// Writes a float network as one of int8 activations and weights, by the rules of ``IntegerRule``. Operators that are
/// kept stay floats, with QUANTIZE and DEQUANTIZE where they meet the others.
struct IntegerRewriter {
  /// What became of an operator's weights.
  struct Layer {
    let step: TFLiteOperator
    let weights: ChannelWeights
    let shape: [Int]
  }

  private let network: FloatNetwork
  private let quantizations: [Int: Quantization]
  private let takesFloats: Bool
  private let means: [Int: ChannelMeans]
  private(set) var draft = TFLiteDraft()
  private(set) var layers: [Layer] = []
  /// The tensors of the draft for each activation, as int8 and as float32, and for each constant in each form.
  private var integers: [Int: Int] = [:]
  private var floats: [Int: Int] = [:]
  private var constants: [ConstantForm: Int] = [:]

  private struct ConstantForm: Hashable {
    let tensor: Int
    let quantization: Quantization?
  }

  /// - Parameters:
  ///   - quantizations: the scale and zero point of every activation.
  ///   - means: of the activations, for biases that make up for what rounding weights does to the mean of results;
  ///     none to leave biases as they are.
  ///   - takesFloats: whether inputs and outputs stay float32.
  init(
    _ network: FloatNetwork, _ quantizations: [Int: Quantization], means: [Int: ChannelMeans] = [:],
    takesFloats: Bool
  ) throws(ApusError) {
    self.network = network
    self.quantizations = quantizations
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
    for (form, ending) in [(integers[tensor], "_int8"), (floats[tensor], "_float")] {
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
    guard let builtin = step.builtin, let rule = IntegerRule.table[builtin] else { return }
    do {
      var inputs: [Int?] = []
      if case .weighted(let axis) = rule.kind,
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
          builtin, version: rule.version(of: step), inputs: inputs, outputs: outputs, options: step.options))
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
    if case .shared = rule.kind, let shared { return try self.constant(tensor, constant, shared) }
    let range = try ScaleClasses.range(constant, named: network.label(tensor))
    return try self.constant(tensor, constant, AffineRange.quantization(range))
  }

  /// Input, weights and bias of a sum of products.
  private mutating func weighted(_ step: TFLiteOperator, axis: Int) throws(ApusError) -> [Int?] {
    guard let input = step.inputs[0], let inputScale = quantizations[input]?.scale,
      let place = step.inputs[1], let stored = network.constant(place)
    else { throw ApusError(.unsupportedModel, "an input that is no activation") }
    var bias = try bias(step)
    let weights = try ChannelWeights(stored, axis: axis, named: network.label(place)) { channel in
      // Most of the range of 32 bits is left for the sums.
      bias.isEmpty ? 0 : abs(bias[channel % bias.count]) / (inputScale * Float(1 << 29))
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
    let sums = zip(bias, scales).map { bias, scale in
      Int32(max(-0x1p30, min(0x1p30, (Double(bias) / Double(scale)).rounded())))
    }
    inputs.append(
      draft.add(
        .init(
          network.subgraph.tensors[tensor].name, .int32, [bias.count],
          data: sums.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } },
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

extension IntegerRewriter {
  /// The int8 tensor of an activation: what an operator gives, or behind QUANTIZE.
  private mutating func integer(_ tensor: Int) throws(ApusError) -> Int {
    if let known = integers[tensor] { return known }
    let source = network.subgraph.tensors[tensor]
    guard let quantization = quantizations[tensor] else {
      throw ApusError(.malformedModel, "nothing gives it a range", at: source.label)
    }
    let given = floats[tensor]
    let index = draft.add(
      .init(
        source.name + (given == nil ? "" : "_int8"), .int8, try network.type(tensor).shape.dimensions,
        signature: signature(of: source), quantization: quantization))
    if let given { draft.steps.append(.init(.QUANTIZE, inputs: [given], outputs: [index])) }
    integers[tensor] = index
    return index
  }

  /// The float32 tensor of an activation: what is given, or behind DEQUANTIZE. Of others, the tensor as it is.
  private mutating func float(_ tensor: Int) throws(ApusError) -> Int {
    guard network.isActivation(tensor) else { return try plain(tensor) }
    if let known = floats[tensor] { return known }
    let source = network.subgraph.tensors[tensor]
    let given = integers[tensor]
    let index = draft.add(
      .init(
        source.name + (given == nil ? "" : "_float"), .float32, try network.type(tensor).shape.dimensions,
        signature: signature(of: source)))
    if let given { draft.steps.append(.init(.DEQUANTIZE, version: 2, inputs: [given], outputs: [index])) }
    floats[tensor] = index
    return index
  }

  /// A tensor that is no activation: as it is.
  private mutating func plain(_ tensor: Int) throws(ApusError) -> Int {
    let form = ConstantForm(tensor: tensor, quantization: nil)
    if let known = constants[form] { return known }
    let source = network.subgraph.tensors[tensor]
    let type = try network.type(tensor)
    let data = network.constant(tensor).map { constant in constant.withBytes { Array($0) } }
    let elements = TFLiteTensorType.allCases.first { $0.dataType == type.dataType } ?? source.type
    let index = draft.add(
      .init(
        source.name, elements, type.shape.dimensions, signature: data == nil ? signature(of: source) : nil,
        data: data))
    constants[form] = index
    return index
  }

  /// A float constant with one scale and zero point.
  private mutating func constant(
    _ tensor: Int, _ constant: Tensor, _ quantization: Quantization
  ) throws(ApusError) -> Int {
    let form = ConstantForm(tensor: tensor, quantization: quantization)
    if let known = constants[form] { return known }
    var data: [UInt8] = []
    let (inverse, zeroPoint) = (1 / quantization.scale, Float(quantization.zeroPoint))
    try FloatChunks(constant, named: network.label(tensor)).forEach { (_, chunk) throws(ApusError) in
      for value in chunk {
        let quantum = (value * inverse + zeroPoint).rounded(.toNearestOrAwayFromZero)
        data.append(UInt8(bitPattern: Int8(max(-128, min(127, quantum)))))
      }
    }
    let index = draft.add(
      .init(
        network.subgraph.tensors[tensor].name, .int8, constant.shape.dimensions, data: data,
        quantization: quantization))
    constants[form] = index
    return index
  }

  /// The open dimensions of a tensor, unless shapes that were computed from them are fixed now.
  private func signature(of tensor: TFLiteTensor) -> [Int]? {
    let isOpen = tensor.shapeSignature.contains(-1)
    let dropped = network.subgraph.operators.count - network.steps.count
    let widened = network.subgraph.operators.count { $0.builtin == .DEQUANTIZE }
    return isOpen && dropped <= widened ? tensor.shapeSignature : nil
  }

  private func signature(_ signature: TFLiteSignature) -> TFLiteDraft.Signature {
    let inputs = Dictionary(zip(network.subgraph.inputs, draft.inputs)) { first, _ in first }
    let outputs = Dictionary(zip(network.subgraph.outputs, draft.outputs)) { first, _ in first }
    return .init(
      key: signature.key,
      inputs: signature.inputs.compactMap { binding in
        inputs[binding.tensor].map { (name: binding.name, tensor: $0) }
      },
      outputs: signature.outputs.compactMap { binding in
        outputs[binding.tensor].map { (name: binding.name, tensor: $0) }
      })
  }
}

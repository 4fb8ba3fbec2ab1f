import Kernels
import TensorCore

/// The element types and quantization of a linear operation (convolution, fully connected) and what they
/// demand of each other.
package struct LinearTypes: Sendable {
  package enum Form: Int, Sendable {
    /// Float32 activations, float weights.
    case float32
    /// 8-bit activations and weights, int32 bias.
    case integer8
    /// int16 activations, int8 weights, int64 or int32 bias.
    case integer16
    /// Float32 activations quantized as they come, int8 weights.
    case dynamicInteger8
  }

  package let form: Form
  package let input: TensorType
  package let weights: TensorType
  package let bias: TensorType?
  package let result: TensorType
  /// Output channels, and elements of weights for each.
  package let columns: Int
  package let depth: Int
  /// The axis of the weights along which per-channel scales run.
  let channelAxis: Int
  /// How sums are brought to the result's scale.
  let rounding: FixedPointMultiplier.Rounding

  package init(
    _ operands: Operands, result: TensorType, columns: Int, depth: Int, channelAxis: Int = 0,
    rounding: FixedPointMultiplier.Rounding = .twice,
    at positions: (input: Int, weights: Int, bias: Int) = (0, 1, 2)
  ) throws(ApusError) {
    input = try operands.input(positions.input)
    weights = try operands.input(positions.weights)
    bias = operands.has(positions.bias) ? try operands.input(positions.bias) : nil
    self.result = result
    self.columns = columns
    self.depth = depth
    self.channelAxis = channelAxis
    self.rounding = rounding
    switch (input.dataType, weights.dataType, result.dataType) {
    case (.float32, .float32, .float32), (.float32, .float16, .float32): form = .float32
    case (.float32, .int8, .float32): form = .dynamicInteger8
    case (.int8, .int8, .int8), (.uint8, .uint8, .uint8): form = .integer8
    case (.int16, .int8, .int16): form = .integer16
    default:
      throw ApusError(
        .unsupportedModel,
        "\(input.dataType.rawValue) activations with \(weights.dataType.rawValue) weights and "
          + "\(result.dataType.rawValue) results",
        expected: "float32, int8, uint8, int16 with int8 weights, or float32 with int8 weights")
    }
  }

  /// Whether the channels of the weights have scales that differ.
  package var hasDifferentScales: Bool {
    guard let scales = weights.quantization?.scales else { return false }
    return scales.contains { $0 != scales[0] }
  }
  package var inputZeroPoint: Int32 { input.quantization?.zeroPoint ?? 0 }

  /// - Throws: ``ApusError`` when bias or quantization do not fit the form.
  package func check() throws(ApusError) {
    if let bias {
      let wanted: [DataType] =
        switch form {
        case .float32, .dynamicInteger8: [.float32, .float16]
        case .integer8: [.int32]
        case .integer16: [.int64, .int32]
        }
      guard wanted.contains(bias.dataType), bias.shape.elementCount == columns else {
        throw ApusError(
          .malformedModel, "a bias \(bias)",
          expected: "\(columns) elements of \(wanted.map(\.rawValue).joined(separator: " or "))")
      }
    }
    guard form != .float32 else { return }
    guard let quantization = weights.quantization else {
      throw ApusError(.malformedModel, "\(weights.dataType.rawValue) weights without a scale")
    }
    if quantization.isPerChannel {
      guard quantization.axis == channelAxis, quantization.scales.count == columns else {
        throw ApusError(
          .malformedModel,
          "\(quantization.scales.count) weight scales along axis \(quantization.axis ?? 0)",
          expected: "\(columns) along axis \(channelAxis)")
      }
    }
    if weights.dataType == .int8, quantization.zeroPoints.contains(where: { $0 != 0 }) {
      throw ApusError(.unsupportedModel, "int8 weights with a zero point other than 0")
    }
    guard form == .integer8 || form == .integer16 else { return }
    for (what, type) in [("input", input), ("result", result)] {
      guard let quantization = type.quantization, !quantization.isPerChannel else {
        throw ApusError(.malformedModel, "a quantized \(what) without one scale for all of it")
      }
      if form == .integer16, quantization.zeroPoint != 0 {
        throw ApusError(
          .malformedModel, "an int16 \(what) with zero point \(quantization.zeroPoint)",
          expected: "0")
      }
    }
    // 255 × 255 × depth must fit the int32 sums, with room for the bias.
    guard form == .integer16 || depth <= 32_000 else {
      throw ApusError(.unsupportedModel, "sums of \(depth) quantized products", expected: "at most 32000")
    }
  }

  /// input scale × weight scale ÷ output scale for each output channel, as TFLite computes it: its uint8
  /// convolutions round the product of the scales to float32 first.
  package func multipliers() throws(ApusError) -> [FixedPointMultiplier] {
    guard let input = input.quantization, let weights = weights.quantization, let result = result.quantization
    else { throw ApusError(.malformedModel, "a quantized tensor without a scale") }
    if self.weights.dataType == .uint8, rounding == .twice {
      let real = Double(input.scale * weights.scale) / Double(result.scale)
      return Array(repeating: FixedPointMultiplier(real), count: columns)
    }
    return (0..<columns).map { column in
      let scale = weights.scales[weights.isPerChannel ? column : 0]
      return FixedPointMultiplier(Double(input.scale) * Double(scale) / Double(result.scale))
    }
  }

  /// How the integers map, for 8-bit forms.
  package func integerQuantization(_ activation: Activation) throws(ApusError) -> IntegerQuantization {
    let range = try activation.quantizedRange(for: result.quantization, result.dataType)
    return IntegerQuantization(
      inputZeroPoint: inputZeroPoint, inputIsSigned: input.dataType == .int8,
      weightZeroPoint: weights.quantization?.zeroPoint ?? 0, weightsAreSigned: weights.dataType == .int8,
      outputZeroPoint: result.quantization?.zeroPoint ?? 0, low: range.lowerBound, high: range.upperBound,
      multipliers: try multipliers(), rounding: rounding)
  }

  /// How the sums of int16 activations become results, the bias included.
  /// - Parameter position: of the bias among the operands.
  /// - Returns: nil where kernels do otherwise than the reference: when that sums in 32 bits or shifts to the left.
  func wideScalings(_ context: LoweringContext, bias position: Int = 2) throws(ApusError) -> [WideScaling]? {
    guard rounding == .once || bias?.dataType != .int32 else { return nil }
    var biases = Array(repeating: 0, count: columns)
    if bias != nil { biases = try context.operands.requireConstant(position, "the bias").integers() }
    var scalings: [WideScaling] = []
    for (multiplier, bias) in zip(try multipliers(), biases) {
      guard let scaling = WideScaling(multiplier, rounding, bias: Int64(bias)) else { return nil }
      scalings.append(scaling)
    }
    return scalings
  }

  /// The prepared product for weights that are stored column after column.
  package func product(
    _ context: LoweringContext, groups: Int, activation: Activation,
    at positions: (weights: Int, bias: Int) = (1, 2)
  ) throws(ApusError) -> MatrixProduct {
    let tensor = try context.operands.requireConstant(positions.weights, "the weights")
    let bias = bias == nil ? nil : try context.operands.requireConstant(positions.bias, "the bias")
    let perGroup = columns / groups
    let bounds = activation.floatRange
    func shelf(_ format: WeightFormat, _ rule: [Int] = []) -> (any MatrixShelf)? {
      context.shelf(
        [tensor, bias], columns: perGroup, depth: depth, format, rule: [groups, form.rawValue] + rule)
    }
    // What was read from a mapped file to be packed is not read again.
    defer { for constant in [tensor, bias] { constant?.discardMappedPages() } }
    return try tensor.withBytes { (bytes) throws(ApusError) -> MatrixProduct in
      switch form {
      case .float32:
        return try MatrixProduct(
          .float32, of: bytes, tensor.dataType, groups: groups, columns: perGroup, depth: depth,
          bias: bias?.floats(), low: bounds.lower, high: bounds.upper, activation: activation.kernelFunction,
          kernels: context.kernels, threads: context.threads, keptIn: shelf(.float32))
      case .dynamicInteger8:
        let scales = tensor.quantization?.scales ?? [1]
        return try MatrixProduct(
          dynamicInteger8: bytes, groups: groups, columns: perGroup, depth: depth,
          scales: scales.count == columns ? scales : Array(repeating: scales[0], count: columns),
          bias: bias?.floats(), low: bounds.lower, high: bounds.upper, kernels: context.kernels,
          threads: context.threads, keptIn: shelf(.int8))
      case .integer16:
        guard let scalings = try wideScalings(context, bias: positions.bias) else {
          throw ApusError(.unsupportedModel, "int16 sums whose scaling no kernel knows")
        }
        return try MatrixProduct(
          integer16: bytes, groups: groups, columns: perGroup, depth: depth, scalings: scalings,
          range: activation.quantizedRange(for: result.quantization, .int16), kernels: context.kernels,
          keptIn: shelf(.int16, scalings.flatMap(\.numbers)))
      case .integer8:
        let quantization = try integerQuantization(activation)
        return try MatrixProduct(
          integer8: bytes, groups: groups, columns: perGroup, depth: depth,
          bias: bias?.elements(of: Int32.self), quantization: quantization, kernels: context.kernels,
          keptIn: shelf(.int8, quantization.numbers))
      }
    }
  }
}

extension LoweringContext {
  /// Where a product's packed weights are kept for others; nil where each keeps its own.
  /// - Parameter rule: what the packed weights depend on beside the tensors.
  func shelf(
    _ tensors: [Tensor?], columns: Int, depth: Int, _ format: WeightFormat, rule: [Int]
  ) -> (any MatrixShelf)? {
    packedWeights?.shelf(
      for: PackedWeightIdentity(
        tensors: tensors, columns: columns, depth: depth, format, kernels,
        rule: [PackedWeightIdentity.productVersion] + rule))
  }
}

extension IntegerQuantization {
  /// All that it says.
  fileprivate var numbers: [Int] {
    [inputZeroPoint, weightZeroPoint, outputZeroPoint, low, high].map(Int.init)
      + [inputIsSigned, weightsAreSigned, rounding == .twice].map { $0 ? 1 : 0 }
      + multipliers.flatMap { [Int($0.multiplier), Int($0.shift)] }
  }
}

extension WideScaling {
  fileprivate var numbers: [Int] { [Int(factor), Int(addend), Int(shift)] }
}

extension Tensor {
  /// The elements of a float tensor, as float32.
  package func floats() throws(ApusError) -> [Float] {
    switch dataType {
    case .float32: return try elements(of: Float.self)
    case .float16:
      return withBytes { bytes in bytes.bindMemory(to: Float16.self).map(Float.init) }
    case .bfloat16:
      return withBytes { bytes in bytes.bindMemory(to: BFloat16.self).map(Float.init) }
    default:
      throw ApusError(
        .malformedModel, "a tensor of \(dataType.rawValue)", expected: "float32, float16 or bfloat16")
    }
  }
}

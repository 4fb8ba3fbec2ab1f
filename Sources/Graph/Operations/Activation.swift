import CIntrinsics
import TensorCore

/// The function that an operation applies to its result before it stores it: a clamp, or one that products and convolutions
/// of float32 have.
package enum Activation: Hashable, Sendable {
  case none, relu, reluN1To1, relu6
  case tanh
  case gelu(GeluForm)
  case swish, hardSwish

  package var name: String {
    switch self {
    case .none: "none"
    case .relu: "relu"
    case .reluN1To1: "reluN1To1"
    case .relu6: "relu6"
    case .tanh: "tanh"
    case .gelu(let form): "GELU (\(form.rawValue))"
    case .swish: "swish"
    case .hardSwish: "hard-swish"
    }
  }

  /// The bounds to which a float result is clamped; infinite where there is none.
  package var floatRange: (lower: Float, upper: Float) {
    switch self {
    case .relu: (0, .infinity)
    case .reluN1To1: (-1, 1)
    case .relu6: (0, 6)
    case .none, .tanh, .gelu, .swish, .hardSwish: (-.infinity, .infinity)
    }
  }

  /// Whether it is a clamp, the only kind that operations of integers have.
  package var isClamp: Bool {
    switch self {
    case .none, .relu, .reluN1To1, .relu6: true
    case .tanh, .gelu, .swish, .hardSwish: false
    }
  }

  /// The activation where it is a clamp; else none.
  package var clamp: Activation { isClamp ? self : .none }
  /// The activation where it is no clamp; else none.
  package var function: Activation { isClamp ? .none : self }

  /// The number by which kernels know the function; that of none for a clamp, which limits results.
  var kernelFunction: Int32 {
    switch self {
    case .none, .relu, .reluN1To1, .relu6: APUS_IDENTITY
    case .tanh: APUS_TANH
    case .gelu(.exact): APUS_GELU_EXACT
    case .gelu(.tanh): APUS_GELU_TANH
    case .gelu(.sigmoid): APUS_GELU_SIGMOID
    case .swish: APUS_SWISH
    case .hardSwish: APUS_HARD_SWISH
    }
  }

  /// - Throws: ``ApusError`` when it is not a clamp.
  package func requireClamp() throws(ApusError) {
    guard isClamp else {
      throw ApusError(
        .unsupportedModel, "the fused activation \(name)", expected: "none, relu, reluN1To1 or relu6")
    }
  }

  /// - Throws: ``ApusError`` when rows of a matrix product cannot have it.
  func requireOfRows() throws(ApusError) {
    guard self == .none || self == .relu || !isClamp else {
      throw ApusError(.unsupportedModel, "the activation \(name) of a linear layer", expected: "another")
    }
  }

  /// The stored integers to which a quantized result is clamped, by TFLite's
  /// `CalculateActivationRangeQuantized`.
  /// - Throws: ``ApusError`` when the type has no such range, the zero point is outside of it, or a bound
  ///   is not an integer of 32 bits.
  package func quantizedRange(
    for quantization: Quantization?, _ dataType: DataType
  ) throws(ApusError) -> ClosedRange<Int32> {
    guard let whole = dataType.quantizedRange else {
      throw ApusError(
        .unsupportedModel, "a quantized tensor of \(dataType.rawValue)", expected: "int8, uint8 or int16")
    }
    guard let quantization else {
      throw ApusError(.malformedModel, "a \(dataType.rawValue) result without scale and zero point")
    }
    guard whole.contains(quantization.zeroPoint) else {
      throw ApusError(
        .malformedModel, "zero point \(quantization.zeroPoint) of a tensor of \(dataType.rawValue)",
        expected: "\(whole.lowerBound) to \(whole.upperBound)")
    }
    let bounds = floatRange
    var lower = whole.lowerBound
    var upper = whole.upperBound
    if bounds.lower.isFinite { lower = max(lower, try quantize(bounds.lower, quantization)) }
    if bounds.upper.isFinite { upper = min(upper, try quantize(bounds.upper, quantization)) }
    return lower...upper
  }

  private func quantize(_ real: Float, _ quantization: Quantization) throws(ApusError) -> Int32 {
    let steps = (real / quantization.scale).rounded(.toNearestOrAwayFromZero)
    guard let whole = Int32(exactly: steps) else {
      throw ApusError(
        .malformedModel, "quantization scale \(quantization.scale)",
        expected: "one that gives \(real) in 32 bits")
    }
    let (stored, overflow) = whole.addingReportingOverflow(quantization.zeroPoint)
    return overflow ? (whole < 0 ? .min : .max) : stored
  }
}

extension DataType {
  /// The integers that a quantized tensor of this type stores; nil for types that kernels do not quantize to.
  package var quantizedRange: ClosedRange<Int32>? {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    default: nil
    }
  }
}

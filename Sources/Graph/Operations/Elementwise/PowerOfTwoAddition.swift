import CLibrary
import Kernels
import TensorCore

/// Adding or subtracting int16 tensors whose scales are all powers of two: one operand is shifted to the
/// scale of the result, which the other one has.
struct PowerOfTwoAddition: Sendable {
  private let firstShift: Int32
  private let secondShift: Int32
  private let lower: Int32
  private let upper: Int32
  private let subtracts: Bool

  /// nil when the scales are not all powers of two.
  init?(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, _ activation: Activation,
    subtracts: Bool
  ) throws(ApusError) {
    guard let one = Self.exponent(of: try first.uniformQuantization("input 0").scale),
      let two = Self.exponent(of: try second.uniformQuantization("input 1").scale),
      let out = Self.exponent(of: try result.uniformQuantization("the result").scale)
    else { return nil }
    firstShift = out - one
    secondShift = out - two
    guard firstShift == 0 || secondShift == 0, (0...31).contains(firstShift), (0...31).contains(secondShift)
    else {
      throw ApusError(
        .unsupportedModel, "int16 scales 2^\(one) and 2^\(two) for a result of scale 2^\(out)",
        expected: "a result whose scale is that of one operand and not below that of the other")
    }
    let range = try activation.quantizedRange(for: result.quantization, result.dataType)
    lower = range.lowerBound
    upper = range.upperBound
    self.subtracts = subtracts
  }

  /// The exponent of a power of two, by TFLite's `CheckedLog2`.
  static func exponent(of scale: Float) -> Int32? {
    let logarithm = CLibrary.logf(scale) * (1 / CLibrary.logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    return abs(logarithm - rounded) < 1e-3 ? Int32(rounded) : nil
  }

  @inline(__always)
  func callAsFunction(_ a: Int16, _ b: Int16) -> Int16 {
    let one = FixedPoint.roundingShiftRight(Int32(a), firstShift)
    let two = FixedPoint.roundingShiftRight(Int32(b), secondShift)
    // No activation bound lies beyond int16, so that clamping saturates too.
    return Int16(truncatingIfNeeded: min(upper, max(lower, subtracts ? one - two : one + two)))
  }
}

import Kernels
import TensorCore

/// What dividing two quantized tensors takes.
package struct QuantizedQuotient: QuantizedBinaryMath {
  let firstOffset: Int32
  let secondOffset: Int32
  let output: FixedPointMultiplier
  let outputOffset: Int32
  let lower: Int32
  let upper: Int32

  init(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, _ activation: Activation
  ) throws(ApusError) {
    let one = try first.uniformQuantization("input 0", symmetric16: false)
    let two = try second.uniformQuantization("input 1", symmetric16: false)
    let out = try result.uniformQuantization("the result", symmetric16: false)
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    output = FixedPointMultiplier(Double(one.scale / (two.scale * out.scale)))
    outputOffset = out.zeroPoint
    let range = try activation.quantizedRange(for: out, result.dataType)
    lower = range.lowerBound
    upper = range.upperBound
  }

  /// The stored result of two stored operands, of which the second is not zero.
  @inline(__always)
  func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    var numerator = a &+ firstOffset
    var denominator = b &+ secondOffset
    if denominator < 0 {
      numerator = 0 &- numerator
      denominator = 0 &- denominator
    }
    let inverse = FixedPoint.reciprocal(denominator, integerDigits: 31)
    let magnitude = numerator < 0 ? ~numerator : numerator
    let headroom = Int32(magnitude.leadingZeroBitCount) - 1
    let unscaled = FixedPoint.doublingHighProduct(numerator &<< headroom, inverse.scale)
    let product = FixedPoint.doublingHighProduct(unscaled, output.multiplier)
    let shift = output.shift - inverse.bitsOverUnit - headroom
    return min(upper, max(lower, Self.shiftRight(product, -shift) &+ outputOffset))
  }

  /// `value / 2^exponent` as the reference computes it on x86, where shifts see the low digits of their
  /// exponent only: over 31, as for a numerator of 0, even 0 is rounded up.
  @inline(__always)
  private static func shiftRight(_ value: Int32, _ exponent: Int32) -> Int32 {
    let mask = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(exponent)) &- 1)
    let threshold = (mask >> 1) &+ (value < 0 ? 1 : 0)
    return (value &>> exponent) &+ (value & mask > threshold ? 1 : 0)
  }

  package func body<Element: QuantizedElement>(
    _ plan: BroadcastPlan, _: Element.Type
  ) -> Lowering.Body {
    let quotient = self
    return { (arguments: borrowing KernelArguments) throws(ApusError) in
      let zero = Element(truncatingIfNeeded: -quotient.secondOffset)
      try requireNonZero(arguments.input(1, as: Element.self), zero: zero)
      arguments.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Element in
          Element(truncatingIfNeeded: quotient(Int32(a), Int32(b)))
        }
      }
    }
  }
}

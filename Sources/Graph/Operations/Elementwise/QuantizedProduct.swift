import CLibrary
import Kernels
import TensorCore

/// What multiplying two quantized tensors takes.
package struct QuantizedProduct: StoredBinaryMath {
  let firstOffset: Int32
  let secondOffset: Int32
  let output: FixedPointMultiplier
  let outputOffset: Int32
  let lower: Int32
  let upper: Int32

  package init(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, _ activation: Activation
  ) throws(ApusError) {
    let one = try first.uniformQuantization("input 0")
    let two = try second.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    output = FixedPointMultiplier(Double(one.scale * two.scale / out.scale))
    outputOffset = out.zeroPoint
    let range = try activation.quantizedRange(for: out, result.dataType)
    lower = range.lowerBound
    upper = range.upperBound
  }

  /// The same product of 8-bit numbers as a vector kernel; nil where that might overflow otherwise.
  package func vectorized(
    isSigned: Bool, findsQuickest: Bool, kernels: KernelSet
  ) throws(ApusError) -> (any QuantizedPairs)? {
    try QuantizedMultiply(
      zeroPoints: (-firstOffset, -secondOffset), multiplier: output, outputZeroPoint: outputOffset,
      range: lower...upper, isSigned: isSigned, findsLine: findsQuickest, kernels: kernels)
  }

  /// What becomes of a first operand. Its first rounding, to steps of a power of two, lifts half of such a step.
  func function(second: Int32) -> ByteLineSearch.Function {
    let slope = Double(second &+ secondOffset) * output.real
    return ByteLineSearch.Function(
      slope: slope, offset: Double(outputOffset) + slope * Double(firstOffset),
      rise: output.shift < 0 ? exp2(Double(output.shift - 1)) : 0)
  }

  @inline(__always)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let raw = (a &+ firstOffset) &* (b &+ secondOffset)
    return min(upper, max(lower, output.apply(raw) &+ outputOffset))
  }
}

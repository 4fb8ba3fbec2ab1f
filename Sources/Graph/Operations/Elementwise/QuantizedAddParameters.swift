import Kernels
import TensorCore

/// What adding (or subtracting) two quantized tensors takes: both operands are brought to the scale of twice
/// the larger one, with bits to spare, summed, and brought to the scale of the result.
package struct QuantizedAddParameters: StoredBinaryMath {
  /// Minus the operands' zero points.
  let firstOffset: Int32
  let secondOffset: Int32
  /// Bits to spare: 20 for 8-bit operands, 15 for 16-bit ones.
  let leftShift: Int32
  let first: FixedPointMultiplier
  let second: FixedPointMultiplier
  let output: FixedPointMultiplier
  /// The result's zero point.
  let outputOffset: Int32
  let lower: Int32
  let upper: Int32
  /// Whether the second operand is subtracted.
  let subtracts: Bool

  package init(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, _ activation: Activation,
    subtracts: Bool
  ) throws(ApusError) {
    let one = try first.uniformQuantization("input 0")
    let two = try second.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    leftShift = result.dataType == .int16 ? 15 : 20
    let twiceLarger = Double(2 * max(one.scale, two.scale))
    self.first = FixedPointMultiplier(Double(one.scale) / twiceLarger)
    self.second = FixedPointMultiplier(Double(two.scale) / twiceLarger)
    output = FixedPointMultiplier(twiceLarger / Double(Float(Int32(1) << leftShift) * out.scale))
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    outputOffset = out.zeroPoint
    let range = try activation.quantizedRange(for: out, result.dataType)
    lower = range.lowerBound
    upper = range.upperBound
    self.subtracts = subtracts
  }

  package func vectorized(
    isSigned: Bool, findsQuickest: Bool, kernels: KernelSet
  ) throws(ApusError) -> (any QuantizedPairs)? {
    try QuantizedAdd(
      zeroPoints: (-firstOffset, -secondOffset), leftShift: leftShift, multiplierA: first,
      multiplierB: second, multiplierResult: output, outputZeroPoint: outputOffset, range: lower...upper,
      isSigned: isSigned, subtracts: subtracts, findsPlane: findsQuickest, kernels: kernels)
  }

  /// What becomes of a first operand.
  func function(second operand: Int32) -> ByteLineSearch.Function {
    let shifted = output.real * Double(1 << leftShift)
    let slope = first.real * shifted
    let addend = (subtracts ? -1 : 1) * second.real * shifted * Double(operand &+ secondOffset)
    return ByteLineSearch.Function(
      slope: slope, offset: Double(outputOffset) + slope * Double(firstOffset) + addend)
  }

  @inline(__always)
  package func callAsFunction(_ a: Int32, _ b: Int32) -> Int32 {
    let scaledA = first.apply((a &+ firstOffset) &<< leftShift)
    let scaledB = second.apply((b &+ secondOffset) &<< leftShift)
    let raw = subtracts ? scaledA &- scaledB : scaledA &+ scaledB
    return min(upper, max(lower, output.apply(raw) &+ outputOffset))
  }
}

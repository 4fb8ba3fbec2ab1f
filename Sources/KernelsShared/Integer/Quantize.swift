import CIntrinsics

/// Float32 numbers as bytes, by TFLite's rule for its QUANTIZE: what is too large for 32 bits before the zero point
/// is added becomes the least integer, as on x86.
@inline(never)
func quantize(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int, _ scale: Float, _ zeroPoint: Int32,
  _ isSigned: Bool
) {
  let scale = FloatVector(repeating: scale)
  // One half itself would carry 0.49999997 to 1.
  let half = FloatVector(repeating: 0x1.fffffep-2)
  // Unsigned bytes are limited as signed ones, 128 less.
  let flip: UInt8 = isSigned ? 0 : 0x80
  let zero = Int32Vector(repeating: zeroPoint)
  let shift = Int32Vector(repeating: isSigned ? 0 : 128)
  let least = Int32Vector(repeating: .min)
  var index = 0
  while index < count {
    let steps = loadFloats(x + 4 &* index, count &- index) / scale
    let sum = apus_truncate_i32(steps + apus_copysign_f32(half, steps)) &+ zero
    // The least integers are limited here, for they have nothing below.
    let counted = apus_select(apus_less(sum, least &+ shift), least, sum &- shift)
    apus_store_saturated(y + index, counted, flip, count &- index)
    index &+= lanes
  }
}

/// Float32 numbers as bytes, by ONNX's rule for QuantizeLinear: divided by the scale, rounded to nearest with halves to even,
/// more by the zero point, limited to the type. NaN becomes the least.
@inline(never)
func quantizeEven(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int, _ scale: Float, _ zeroPoint: Int32,
  _ isSigned: Bool
) {
  let scale = FloatVector(repeating: scale)
  // Unsigned bytes are limited as signed ones, 128 less.
  let (flip, zero): (UInt8, Int32) = isSigned ? (0, zeroPoint) : (0x80, zeroPoint &- 128)
  // The limits are integers: before the rounding they keep every number small.
  let low = FloatVector(repeating: Float(-128 &- zero))
  let high = FloatVector(repeating: Float(127 &- zero))
  let zeros = Int32Vector(repeating: zero)
  var index = 0
  while index < count {
    let steps = loadFloats(x + 4 &* index, count &- index) / scale
    let limited = apus_lesser_f32(apus_greater_f32(steps, low), high)
    apus_store_saturated(y + index, roundedToInteger(limited) &+ zeros, flip, count &- index)
    index &+= lanes
  }
}

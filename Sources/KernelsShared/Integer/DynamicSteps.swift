import CIntrinsics

// What LiteRT's hybrid operators do with float32 numbers: see `DynamicQuantization`.

/// The least and the greatest of `count` numbers. NaN counts for nothing, unless it is the first: then both are NaN.
@inline(never)
func rangeOfNumbers(_ x: UnsafeRawPointer, _ count: Int, _ result: UnsafeMutablePointer<Float>) {
  guard count > 0 else { return }
  let first = x.load(as: Float.self)
  // Several, so that one comparison need not wait for the last.
  var lows = (
    FloatVector(repeating: first), FloatVector(repeating: first), FloatVector(repeating: first),
    FloatVector(repeating: first)
  )
  var highs = lows
  var index = 0
  while index &+ 4 &* lanes <= count {
    let place = index &* 4
    let (a, b): (FloatVector, FloatVector) = (x.vector(place), x.vector(place &+ vectorBytes))
    let (c, d): (FloatVector, FloatVector) = (
      x.vector(place &+ 2 &* vectorBytes), x.vector(place &+ 3 &* vectorBytes)
    )
    lows.0 = apus_lesser_f32(a, lows.0)
    lows.1 = apus_lesser_f32(b, lows.1)
    lows.2 = apus_lesser_f32(c, lows.2)
    lows.3 = apus_lesser_f32(d, lows.3)
    highs.0 = apus_greater_f32(a, highs.0)
    highs.1 = apus_greater_f32(b, highs.1)
    highs.2 = apus_greater_f32(c, highs.2)
    highs.3 = apus_greater_f32(d, highs.3)
    index &+= 4 &* lanes
  }
  let least = apus_lesser_f32(apus_lesser_f32(lows.0, lows.1), apus_lesser_f32(lows.2, lows.3))
  let greatest = apus_greater_f32(
    apus_greater_f32(highs.0, highs.1), apus_greater_f32(highs.2, highs.3))
  var (low, high) = (first, first)
  var lane = 0
  while lane < lanes {
    low = least[lane] < low ? least[lane] : low
    high = greatest[lane] > high ? greatest[lane] : high
    lane &+= 1
  }
  while index < count {
    let number = x.load(fromByteOffset: index &* 4, as: Float.self)
    low = number < low ? number : low
    high = number > high ? number : high
    index &+= 1
  }
  result[0] = low
  result[1] = high
}

/// Numbers times `inverse`, limited and rounded to nearest with halves away from zero; NaN becomes `low`. The limits are
/// integers, so that they may come before the rounding.
@inline(__always)
private func steps(_ x: FloatVector, _ inverse: FloatVector, _ low: FloatVector, _ high: FloatVector)
  -> Int32Vector
{
  let limited = apus_lesser_f32(apus_greater_f32(x * inverse, low), high)
  // One half itself would carry 0.49999997 to 1.
  return apus_truncate_i32(limited + apus_copysign_f32(FloatVector(repeating: 0x1.fffffep-2), limited))
}

/// Float32 numbers as signed bytes: their steps, `zeroPoint` more.
@inline(never)
func quantizeSteps(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int, _ inverse: Float, _ low: Float,
  _ high: Float, _ zeroPoint: Int32
) {
  let inverse = FloatVector(repeating: inverse)
  let (low, high) = (FloatVector(repeating: low), FloatVector(repeating: high))
  let zero = Int32Vector(repeating: zeroPoint)
  var index = 0
  while index < count {
    let whole = steps(loadFloats(x + 4 &* index, count &- index), inverse, low, high)
    apus_store_saturated(y + index, whole &+ zero, 0, count &- index)
    index &+= lanes
  }
}

/// Float32 numbers as their steps, in float32.
@inline(never)
func countSteps(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int, _ inverse: Float, _ low: Float,
  _ high: Float
) {
  let inverse = FloatVector(repeating: inverse)
  let (low, high) = (FloatVector(repeating: low), FloatVector(repeating: high))
  forEachVector(x, y, count) { apus_to_f32(steps($0, inverse, low, high)) }
}

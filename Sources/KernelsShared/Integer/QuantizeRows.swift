import CIntrinsics

// Float32 rows brought into the format of a product. Rows of the target are whole vectors long; what lies
// past the last element is zero, or meets zero weights.

/// Quantizes each row to unsigned bytes by its own range, zero included: real = scale × (byte − zero point).
/// The scale of a row with an element that is not finite is NaN, and so is all that follows from it.
@inline(never)
func quantizeRows(_ arguments: UnsafePointer<ApusRowStaging>) {
  let s = arguments.pointee
  guard let scales = s.scales, let zeroPoints = s.zeroPoints else { return }
  forEachRow(s) { row, source, target in
    let range = rowRange(source, s.depth)
    let width = range.high - range.low
    let inverse = 255 / width
    // Neither for a row of zeros nor for one whose range is below the normal numbers is there an inverse.
    let isFlat = !(inverse < .infinity)
    let zeroPoint = isFlat ? 0 : byte(range.low * -inverse)
    scales[row] = isFlat ? width * 0 : width * (1 / 255)
    zeroPoints[row] = zeroPoint
    quantizeRow(source, s.depth, to: target, inverse: isFlat ? 0 : inverse, zeroPoint: zeroPoint)
  }
}

/// The nearest integer of a number from 0 to 255.
@inline(__always)
private func byte(_ x: Float) -> Int32 {
  let whole = Int32(bitPattern: (x + 0x1.8p23).bitPattern &- Float(0x1.8p23).bitPattern)
  return min(255, max(0, whole))
}

@inline(__always)
private func quantizeRow(
  _ source: UnsafeRawPointer, _ depth: Int, to target: UnsafeMutableRawPointer, inverse: Float,
  zeroPoint: Int32
) {
  let factor = FloatVector(repeating: inverse)
  let zero = FloatVector(repeating: Float(zeroPoint))
  let low = FloatVector(repeating: 0)
  let high = FloatVector(repeating: 255)
  var element = 0
  while element < depth {
    // The limits come before the rounding, which gives the same and keeps every number small.
    let x = apus_clamp_f32(loadFloats(source + 4 &* element, depth &- element) * factor + zero, low, high)
    apus_store_low_bytes(target + element, roundedToInteger(x))
    element &+= lanes
  }
}

/// The least and the greatest element of a row, and 0. Both are NaN when an element is not finite.
@inline(__always)
private func rowRange(_ source: UnsafeRawPointer, _ depth: Int) -> (low: Float, high: Float) {
  var low = FloatVector(repeating: 0)
  var high = low
  var taint = low
  var element = 0
  while element < depth {
    let x = loadFloats(source + 4 &* element, depth &- element)
    low = apus_lesser_f32(x, low)
    high = apus_greater_f32(x, high)
    taint = apus_fma(taint, x, FloatVector(repeating: 0))
    element &+= lanes
  }
  var least: Float = 0
  var greatest: Float = 0
  var poison: Float = 0
  var lane = 0
  while lane < lanes {
    least = low[lane] < least ? low[lane] : least
    greatest = high[lane] > greatest ? high[lane] : greatest
    poison += taint[lane]
    lane &+= 1
  }
  return (least + poison, greatest + poison)
}

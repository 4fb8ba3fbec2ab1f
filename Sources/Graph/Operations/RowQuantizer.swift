import TensorCore

/// The scale that brings a row of real numbers to int8, by TFLite's `SymmetricQuantizeFloats` and
/// `AsymmetricQuantizeFloats`.
struct RowQuantizer {
  let scale: Float
  let zeroPoint: Int32
  private let inverse: Float
  private let least: Int32

  init(_ values: UnsafeBufferPointer<Float>, _ origin: Int, _ step: Int, _ count: Int, isAsymmetric: Bool) {
    var (lower, upper) = (Float(0), Float(0))
    for k in 0..<count {
      let value = values[origin + k * step]
      lower = value < lower ? value : lower
      upper = value > upper ? value : upper
    }
    least = isAsymmetric ? -128 : -127
    guard lower < upper, upper - lower < .infinity else {
      (scale, inverse, zeroPoint) = (1, 0, 0)
      return
    }
    guard isAsymmetric else {
      let range = max(-lower, upper)
      (scale, inverse, zeroPoint) = (range / 127, 127 / range, 0)
      return
    }
    let wide = (Double(upper) - Double(lower)) / 255
    let fromLower = -128 - Double(lower) / wide
    let fromUpper = 127 - Double(upper) / wide
    let lowerError = 128 + abs(Double(lower) / wide)
    let upperError = 127 + abs(Double(upper) / wide)
    let nudged = min(127, max(-128, lowerError < upperError ? fromLower : fromUpper))
    scale = Float(wide)
    inverse = 1 / scale
    zeroPoint = Int32(wholeOf: nudged.rounded(.toNearestOrAwayFromZero))
  }

  @inline(__always)
  func callAsFunction(_ value: Float) -> Int8 {
    let steps = (Float(zeroPoint) + value * inverse).rounded(.toNearestOrAwayFromZero)
    return Int8(truncatingIfNeeded: min(127, max(least, Int32(wholeOf: steps))))
  }
}

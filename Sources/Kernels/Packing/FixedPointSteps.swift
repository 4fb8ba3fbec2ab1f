/// Where the results of a fixed-point multiplication step up, for sums whose rounding is the same throughout.
///
/// The result is k or more from the least sum x on with `x·m + c ≥ (k − zero point)·d`, where d is the power of two of
/// the shift and c what rounding adds.
struct FixedPointSteps {
  /// The step to the result above the lowest, and by how much the left side is over the right there: below m.
  let place: Int32
  let excess: Int32
  /// d in whole multipliers, and the rest.
  let stride: Int32
  let remainder: Int32
  let multiplier: Int32
  /// m/d; what a sum of 0 gives, counted from -128, before it is rounded to nearest; 1/d.
  let slope: Double
  let rise: Double
  let unit: Double

  /// No step that a sum reaches.
  static let none = FixedPointSteps()

  private init() {
    (place, excess, stride, remainder, multiplier) = (.max, 0, 0, 0, 1)
    (slope, rise, unit) = (1, 0, 1)
  }

  /// - Parameter sums: the sums that there can be.
  /// - Returns: nil where steps lie too far apart to count in 32 bits, although sums reach them, or closer than sums.
  init?(_ factor: FixedPointMultiplier, _ quantization: IntegerQuantization, sums: ClosedRange<Int>) {
    let term = RequantizationTable.Term(factor, quantization.rounding)
    let m = Int64(factor.multiplier)
    guard m > 0, term.shift <= 52, (1..<1 << 22).contains((Int64(1) << term.shift) / m) else {
      let ends = [sums.lowerBound, sums.upperBound].map {
        quantization.rounding == .once
          ? factor.applyOnce(Int64($0)) : factor.apply(Int32(truncatingIfNeeded: $0))
      }
      guard ends.allSatisfy({ $0 &+ quantization.outputZeroPoint <= quantization.low }) else { return nil }
      self = .none
      return
    }
    let d = Int64(1) << term.shift
    let bound = Int64(quantization.low + 1 - quantization.outputZeroPoint) * d - term.rounding
    let place = bound > 0 ? (bound + m - 1) / m : bound / m
    guard abs(place) < 1 << 30 else { return nil }
    self.place = Int32(place)
    excess = Int32(place * m - bound)
    stride = Int32(d / m)
    remainder = Int32(d % m)
    multiplier = factor.multiplier
    slope = term.slope(factor)
    rise = term.rise(areNegative: false) + Double(quantization.countedZeroPoint)
    unit = 1 / Double(d)
  }
}

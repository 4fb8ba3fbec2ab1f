import CIntrinsics

/// The line of one column that lies below what the fixed-point multiplication gives, but less than
/// `APUS_CHECKED_LINE_WIDTH`: sum × slope + offset, counted from -128. Both, rounded to nearest, agree wherever they do
/// `APUS_CHECKED_LINE_WIDTH` higher.
struct CheckedLine {
  let slope: Float
  let offset: Float
  /// For sums below zero, which are rounded otherwise.
  let offsetBelow: Float

  static let zero = CheckedLine(slope: 0, offset: 0, offsetBelow: 0)
  /// One that nothing is found by: half a width below a half it rounds to 0, half a width above to 1.
  private static let doubtful = CheckedLine(slope: 0, offset: 0.5 - half, offsetBelow: 0.5 - half)

  private static let half = Float(APUS_CHECKED_LINE_WIDTH) / 2

  private init(slope: Float, offset: Float, offsetBelow: Float) {
    (self.slope, self.offset, self.offsetBelow) = (slope, offset, offsetBelow)
  }

  init(_ columns: RequantizedColumns, column: Int) {
    let quantization = columns.quantization
    let multiplier = columns.multipliers[columns.multipliers.startIndex + column]
    let sums = columns.sums[columns.sums.startIndex + column]
    let term = RequantizationTable.Term(multiplier, quantization.rounding)
    let slope = term.slope(multiplier)
    let greatest = Double(max(sums.lowerBound.magnitude, sums.upperBound.magnitude))
    // What lies beyond becomes no integer of 32 bits; results that an activation limits are limited only when they are found
    // in fixed point.
    guard quantization.isWholeRange, slope * greatest < 0x1p30 else {
      self = .doubtful
      return
    }
    func offset(areNegative: Bool) -> Float {
      let rise = term.rise(areNegative: areNegative) + Double(quantization.countedZeroPoint)
      return Float(rise - Double(Self.half))
    }
    self.init(
      slope: Float(slope), offset: offset(areNegative: false), offsetBelow: offset(areNegative: true))
  }
}

/// The least and the greatest number that a tensor had. Zero is always within: int8 must be able to say it.
public struct ValueRange: Sendable, Equatable {
  /// The least number, at most 0.
  public private(set) var lower: Float = 0
  /// The greatest number, at least 0.
  public private(set) var upper: Float = 0

  package init(lower: Float = 0, upper: Float = 0) {
    self.lower = min(lower, 0)
    self.upper = max(upper, 0)
  }

  /// Widens the range.
  /// - Returns: whether all numbers are finite.
  mutating func add(_ values: UnsafeBufferPointer<Float>) -> Bool {
    var (low, high, sum) = (lower, upper, Float(0))
    for value in values {
      low = value < low ? value : low
      high = value > high ? value : high
      // Infinities and NaN make the sum NaN.
      sum += value * 0
    }
    (lower, upper) = (low, high)
    return sum == 0
  }

  mutating func formUnion(_ other: ValueRange) {
    lower = min(lower, other.lower)
    upper = max(upper, other.upper)
  }
}

/// Where values of a histogram are counted: 128 buckets of equal width between a power of two and the next.
///
/// A bucket is at most 1/128 = 0.8 % of its values wide, and its greatest value at powers of two is that power; up to 256
/// each whole number has a bucket of its own. The scheme is HdrHistogram's (Tene): shifts in place of logarithms.
package enum LogLinearBuckets {
  /// 2⁷ buckets to a power of two.
  private static let bits = 7
  private static let perPower = 1 << bits
  /// Values above, as nanoseconds 73 minutes, are counted with it.
  private static let greatest: UInt64 = 1 << 42
  /// How many there are.
  package static let count = (42 - bits + 1) * perPower

  /// The bucket of a value; 0 is counted with 1.
  @inline(__always)
  package static func index(of value: UInt64) -> Int {
    let below = min(max(value, 1), greatest) &- 1
    let shift = UInt64.bitWidth &- 1 &- (below | UInt64(perPower)).leadingZeroBitCount &- bits
    return shift &<< bits &+ Int(truncatingIfNeeded: below &>> UInt64(truncatingIfNeeded: shift))
  }

  /// The values that are counted in a bucket.
  package static func values(of index: Int) -> ClosedRange<UInt64> {
    let shift = max(index / perPower - 1, 0)
    let lower = index - shift * perPower
    let (first, last) = (UInt64(lower) << UInt64(shift) + 1, UInt64(lower + 1) << UInt64(shift))
    return (index == 0 ? 0 : first)...(index == count - 1 ? .max : last)
  }
}

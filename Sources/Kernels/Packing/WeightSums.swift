/// The sums of a column's weights, as signed bytes.
struct WeightSums {
  /// Of all of them, and of those that are positive.
  private(set) var all: Int32 = 0
  private(set) var positive: Int32 = 0

  /// Adds four bytes.
  @inline(__always)
  mutating func add(_ bytes: UInt32) {
    let bits = Int32(bitPattern: bytes)
    all &+= (bits << 24) >> 24 &+ (bits << 16) >> 24 &+ (bits << 8) >> 24 &+ bits >> 24
    // All ones in the bytes whose top bit is not set.
    let mask = ((~bytes & 0x8080_8080) >> 7) &* 0xff
    let pairs = (bytes & mask & 0x00ff_00ff) &+ ((bytes & mask) >> 8 & 0x00ff_00ff)
    positive &+= Int32(bitPattern: (pairs & 0xffff) &+ pairs >> 16)
  }

  /// The sums of products with unsigned bytes that there can be.
  /// - Parameters:
  ///   - zeroPoint: taken from every weight; where it is not 0 the range is wider than need be.
  ///   - start: the sum without any product.
  func reach(depth: Int, zeroPoint: Int, from start: Int) -> ClosedRange<Int> {
    let above = Int(positive) + depth * max(0, -zeroPoint)
    let below = Int(all) - Int(positive) - depth * max(0, zeroPoint)
    return start + 255 * below...start + 255 * above
  }
}

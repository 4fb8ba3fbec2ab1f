/// The pairs of pieces that byte-pair encoding joins, each with its rank and the piece that they make.
struct MergeTable: Sendable {
  /// Open addressing: a pair (left in the high half) and what it makes (rank in the high half, id in the low).
  private var entries: [(pair: UInt64, result: UInt64)]
  private let mask: Int
  private static let free = UInt64.max

  /// A pair that is not joined; later than every rank.
  static let none = UInt64.max

  init(capacity: Int) {
    var count = 16
    while 2 * count < 3 * capacity { count *= 2 }
    entries = Array(repeating: (Self.free, Self.none), count: count)
    mask = count - 1
  }

  /// Sets what a pair makes, over an earlier result. No more pairs than the capacity are set.
  mutating func set(_ left: Int32, _ right: Int32, rank: Int, id: Int32) {
    let pair = Self.pair(left, right)
    entries[slot(pair)] = (
      pair, UInt64(UInt32(truncatingIfNeeded: rank)) << 32 | UInt64(UInt32(bitPattern: id))
    )
  }

  /// Rank (high half) and id (low half) of what a pair makes; ``none`` when it is not joined.
  @inline(__always)
  func result(_ left: Int32, _ right: Int32) -> UInt64 { entries[slot(Self.pair(left, right))].result }

  @inline(__always)
  private static func pair(_ left: Int32, _ right: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  @inline(__always)
  private func slot(_ pair: UInt64) -> Int {
    let mixed = pair &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & 0x7FFF_FFFF_FFFF_FFFF) & mask
    while entries[slot].pair != pair, entries[slot].pair != Self.free { slot = (slot + 1) & mask }
    return slot
  }
}

import TensorCore

/// The constants by which the vector form of a fixed-point multiplication reaches the reference's result.
///
/// For a multiplier m and a right shift e the reference computes `h = (x·m + 2³⁰) >> 31` and then rounds
/// `h / 2^e` with halves away from zero. Both roundings together are one 64-bit shift:
/// `(x·m + 2³⁰ + 2^(30+e) − (x < 0 ? 2³¹ : 0)) >> (31 + e)`, without the last two terms when e is 0. A single
/// rounding is `(x·m + 2^(30+e)) >> (31 + e)`.
package struct RequantizationTable {
  /// Bytes for one vector of columns.
  package static func byteCount(lanes: Int) -> Int { 36 * lanes }

  /// Writes the table of up to `lanes` columns: the multipliers; those of the odd lanes moved to the even
  /// places; the offsets; then in 64 bits, for the even and for the odd lanes, addends, shifts and negative
  /// addends.
  /// - Parameters:
  ///   - multipliers: of the columns that exist; the others become 0.
  ///   - zeroPoint: added to every result.
  static func write(
    _ multipliers: ArraySlice<FixedPointMultiplier>, zeroPoint: Int32,
    rounding: FixedPointMultiplier.Rounding,
    lanes: Int, to table: UnsafeMutableRawPointer
  ) {
    for lane in 0..<lanes {
      let position = multipliers.startIndex + lane
      let factor =
        position < multipliers.endIndex
        ? multipliers[position] : FixedPointMultiplier(multiplier: 0, shift: 0)
      let entry = Entry(factor, zeroPoint, rounding)
      table.storeBytes(of: factor.multiplier, toByteOffset: 4 * lane, as: Int32.self)
      if lane % 2 == 1 {
        table.storeBytes(of: factor.multiplier, toByteOffset: 4 * (lanes + lane - 1), as: Int32.self)
      }
      table.storeBytes(of: entry.offset, toByteOffset: 4 * (2 * lanes + lane), as: Int32.self)
      let half = 12 * lanes + (lane % 2) * 12 * lanes + 8 * (lane / 2)
      table.storeBytes(of: entry.addend, toByteOffset: half, as: Int64.self)
      table.storeBytes(of: entry.shift, toByteOffset: half + 4 * lanes, as: Int64.self)
      table.storeBytes(of: entry.negativeAddend, toByteOffset: half + 8 * lanes, as: Int64.self)
    }
  }

  private struct Entry {
    let addend: Int64
    let shift: Int64
    let negativeAddend: Int64
    let offset: Int32

    init(_ factor: FixedPointMultiplier, _ zeroPoint: Int32, _ rounding: FixedPointMultiplier.Rounding) {
      // A left shift before the product is a smaller right shift after it.
      shift = 31 - Int64(factor.shift)
      // Without a right shift of its own the second rounding has nothing to do.
      let roundsTwice = rounding == .twice && factor.shift < 0
      let first = rounding == .once || factor.shift > 0 ? shift - 1 : 30
      // 2⁶² keeps the sum positive for a logical shift; the offset takes it away again, modulo 2³².
      addend = (1 << 62) + (1 << first) + (roundsTwice ? 1 << (shift - 1) : 0)
      negativeAddend = roundsTwice ? -(1 << 31) : 0
      offset = zeroPoint &- Int32(truncatingIfNeeded: Int64(1) << (62 - shift))
    }
  }
}

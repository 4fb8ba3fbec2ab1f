import CIntrinsics

/// The mean of a window of bytes in whole steps, limited: halves away from zero, or upward for unsigned bytes.
@inline(never)
func averagePoolInteger8(_ arguments: UnsafePointer<ApusPool>) {
  let pool = arguments.pointee
  if let division = ShortDivision(by: pool.rows &* pool.columns, isSigned: pool.isSigned != 0) {
    averageShort(pool, division)
  } else {
    averageLong(pool)
  }
}

/// Division of what a window sums up to, and half of it more, by the number of its taps as a product of 16 bits.
private struct ShortDivision {
  let half: UInt16
  let factor: UInt16
  let shift: UInt16

  /// - Returns: nil where sums may have more bits, or quotients may be wrong.
  @inline(__always)
  init?(by taps: Int, isSigned: Bool) {
    guard taps > 1, taps < 256 else { return nil }
    let bits = Int.bitWidth &- 1 &- (taps &- 1).leadingZeroBitCount
    let power = 1 &<< (16 &+ bits)
    let reciprocal = (power &+ taps &- 1) / taps
    let greatest = (isSigned ? 128 : 255) &* taps &+ taps / 2
    // Too much by this at most, which must not reach the next quotient: Granlund and Montgomery 1994.
    guard greatest &* (reciprocal &* taps &- power) < power else { return nil }
    half = UInt16(truncatingIfNeeded: taps / 2)
    factor = UInt16(truncatingIfNeeded: reciprocal)
    shift = UInt16(truncatingIfNeeded: bits)
  }
}

@inline(__always)
private func averageShort(_ pool: ApusPool, _ division: ShortDivision) {
  let isSigned = pool.isSigned != 0
  let flip = apus_u16(repeating: isSigned ? 0x80 : 0)
  // What signed bytes count too much, flipped.
  let excess = apus_u16(
    repeating: isSigned ? UInt16(truncatingIfNeeded: 128 &* pool.rows &* pool.columns) : 0)
  let (half, factor) = (apus_u16(repeating: division.half), apus_u16(repeating: division.factor))
  let signs = apus_u16(repeating: isSigned ? .max : 0)
  let low = Int16(truncatingIfNeeded: pool.lowQuantum)
  let high = Int16(truncatingIfNeeded: pool.highQuantum)
  var channel = 0
  while channel < pool.channels {
    var sum = apus_u16(repeating: 0)
    for row in 0..<pool.rows {
      var place = pool.input + (row &* pool.rowStride &+ channel)
      for _ in 0..<pool.columns {
        sum = apus_add_bytes(sum, place, flip)
        place += pool.columnStride
      }
    }
    let mean = apus_divide_u16(sum &- excess, signs, half, factor, division.shift, low, high)
    apus_store_low_bytes_u16(pool.output + channel, mean, pool.channels &- channel)
    channel &+= 2 &* lanes
  }
}

@inline(__always)
private func averageLong(_ pool: ApusPool) {
  let flip = Int32Vector(repeating: pool.isSigned != 0 ? 0x80 : 0)
  let taps = Int32(truncatingIfNeeded: pool.rows &* pool.columns)
  let excess = Int32Vector(repeating: pool.isSigned != 0 ? 128 &* taps : 0)
  let half = Int32Vector(repeating: taps / 2)
  let count = FloatVector(repeating: Float(taps))
  let (low, high) = (Int32Vector(repeating: pool.lowQuantum), Int32Vector(repeating: pool.highQuantum))
  var channel = 0
  while channel < pool.channels {
    var sum = Int32Vector(repeating: 0)
    for row in 0..<pool.rows {
      var place = pool.input + (row &* pool.rowStride &+ channel)
      for _ in 0..<pool.columns {
        sum = sum &+ (apus_load_u8(place) ^ flip)
        place += pool.columnStride
      }
    }
    sum = sum &- excess
    let sign = sum &>> 31
    let magnitude = ((sum ^ sign) &- sign) &+ half
    // Exact: both are whole numbers, the first below 2²⁴.
    let whole = apus_truncate_i32(apus_to_f32(magnitude) / count)
    var mean = (whole ^ sign) &- sign
    mean.replace(with: low, where: mean .< low)
    mean.replace(with: high, where: mean .> high)
    apus_store_low_bytes_part(pool.output + channel, mean, min(lanes, pool.channels &- channel))
    channel &+= lanes
  }
}

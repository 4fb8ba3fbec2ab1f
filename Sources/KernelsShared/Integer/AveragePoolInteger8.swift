import CIntrinsics

/// The mean of a window of bytes in whole steps, limited: halves away from zero, or upward for unsigned bytes. May read
/// a vector past the channels.
@inline(never)
func averagePoolInteger8(_ arguments: UnsafePointer<ApusPool>) {
  let pool = arguments.pointee
  let flip = Int32Vector(repeating: pool.isSigned != 0 ? 0x80 : 0)
  let taps = Int32(truncatingIfNeeded: pool.rows &* pool.columns)
  // What signed bytes count too much, flipped.
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

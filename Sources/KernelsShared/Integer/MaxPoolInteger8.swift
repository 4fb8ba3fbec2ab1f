import CIntrinsics

/// The greatest byte of each channel in a window, limited.
@inline(never)
func maxPoolInteger8(_ arguments: UnsafePointer<ApusPool>) {
  let pool = arguments.pointee
  // Signed bytes in the order of unsigned ones.
  let flip: UInt8 = pool.isSigned != 0 ? 0x80 : 0
  let flips = apus_u8(repeating: flip)
  let low = apus_u8(repeating: UInt8(truncatingIfNeeded: pool.lowQuantum) ^ flip)
  let high = apus_u8(repeating: UInt8(truncatingIfNeeded: pool.highQuantum) ^ flip)
  var channel = 0
  while channel < pool.channels {
    var greatest = low
    for row in 0..<pool.rows {
      var place = pool.input + (row &* pool.rowStride &+ channel)
      for _ in 0..<pool.columns {
        greatest = apus_greater_bytes(greatest, place, flips)
        place += pool.columnStride
      }
    }
    apus_store_limited_bytes(pool.output + channel, greatest, high, flips, pool.channels &- channel)
    channel &+= vectorBytes
  }
}

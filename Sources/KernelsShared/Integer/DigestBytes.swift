import CIntrinsics

/// A digest of `count` bytes, 128 bits, the same on every instruction set: two words at `result`.
///
/// It tells apart contents that differ by accident, at the speed of memory. It is no defence against someone
/// who looks for two contents of one digest. Eight sums take, for each stripe of 64 bytes, the product of the
/// halves of every word under a key that changes from stripe to stripe, and the word itself with its halves
/// exchanged; every 1024 bytes the sums are mixed.
@inline(never)
func digestBytes(_ bytes: UnsafeRawPointer, _ count: Int, _ result: UnsafeMutablePointer<UInt64>) {
  typealias Words = SIMD8<UInt64>
  let low = Words(repeating: 0xffff_ffff)
  let step = Words(repeating: 0x9e37_79b9_7f4a_7c15)
  let first = Words(
    0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377, 0xbe54_66cf_34e9_0c6c, 0xc0ac_29b7_c97c_50dd, 0x3f84_d5b5_b547_0917)
  var key = first
  var sums = first &+ step

  @inline(__always)
  func add(_ words: Words) {
    let keyed = words ^ key
    sums = sums &+ (keyed & low) &* (keyed &>> 32) &+ (words &<< 32 | words &>> 32)
    key = key &+ step
  }
  @inline(__always)
  func mix() {
    sums = sums ^ (sums &>> 47) ^ first
    sums =
      (sums & low) &* Words(repeating: 0x9e37_79b1) &+ ((sums &>> 32) &* Words(repeating: 0x85eb_ca77)) &<< 32
  }

  var offset = 0
  while offset &+ 64 <= count {
    add(bytes.loadUnaligned(fromByteOffset: offset, as: Words.self))
    offset &+= 64
    if offset & 1023 == 0 { mix() }
  }
  var rest = Words(repeating: 0)
  while offset < count {
    let byte = UInt64(bytes.load(fromByteOffset: offset, as: UInt8.self))
    rest[(offset & 63) &>> 3] |= byte &<< UInt64(truncatingIfNeeded: 8 &* (offset & 7))
    offset &+= 1
  }
  add(rest)
  mix()
  result[0] = folded(sums, UInt64(truncatingIfNeeded: count), 0xff51_afd7_ed55_8ccd)
  result[1] = folded(sums &+ key, ~UInt64(truncatingIfNeeded: count), 0xc4ce_b9fe_1a85_ec53)
}

/// One word that depends on every bit of the sums.
@inline(__always)
private func folded(_ sums: SIMD8<UInt64>, _ seed: UInt64, _ factor: UInt64) -> UInt64 {
  var word = seed
  var lane = 0
  while lane < 8 {
    word = (word ^ sums[lane]) &* factor
    word ^= word &>> 32
    lane &+= 1
  }
  return word
}

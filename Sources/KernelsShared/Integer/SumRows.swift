import CIntrinsics

/// For each of `rows` rows of A, `factor` times the sum of its `bytes` 8-bit elements. May read a vector past
/// a row.
///
/// Signed elements count 128 more than they are, as in the products.
@inline(never)
func sumRows8(
  _ a: UnsafeRawPointer, stride: Int, rows: Int, bytes: Int, isSigned: Bool, factor: Int32,
  into sums: UnsafeMutablePointer<Int32>
) {
  let ones = Int32Vector(repeating: 0x0101_0101)
  let flip = Int32Vector(repeating: isSigned ? signFlip : 0)
  let whole = bytes / vectorBytes &* vectorBytes
  // Ones for the elements of the last, partly filled vector.
  let tail = withUnsafeTemporaryAllocation(byteCount: vectorBytes, alignment: 64) { mask in
    for index in 0..<vectorBytes { mask[index] = index < bytes &- whole ? 1 : 0 }
    return mask.loadUnaligned(as: Int32Vector.self)
  }
  for row in 0..<rows {
    let source = a + row &* stride
    var total = Int32Vector()
    var offset = 0
    while offset < whole {
      total = apus_dot_u8s8(total, source.vector(offset, as: Int32Vector.self) ^ flip, ones)
      offset &+= vectorBytes
    }
    if whole < bytes {
      total = apus_dot_u8s8(total, source.vector(whole, as: Int32Vector.self) ^ flip, tail)
    }
    sums[row] = apus_sum_lanes(total) &* factor
  }
}

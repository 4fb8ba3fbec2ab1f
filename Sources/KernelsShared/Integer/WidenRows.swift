import CIntrinsics

/// Rows of bytes as numbers of 16 bits from 0 to 255; signed bytes count 128 more than they are.
///
/// Whole vectors are read and written, in order: a row's bytes may lie in the second half of its own target.
@inline(never)
func widenRows(_ arguments: UnsafePointer<ApusRowStaging>) {
  let s = arguments.pointee
  let flip: UInt8 = s.isSigned != 0 ? 0x80 : 0
  forEachRow(s) { _, source, target in
    var element = 0
    while element < s.depth {
      apus_widen_bytes(source + element, target + 2 &* element, flip)
      element &+= 2 &* lanes
    }
  }
}

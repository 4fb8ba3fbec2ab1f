import CIntrinsics

/// Columns of bytes, and the sums of each.
@inline(never)
func packInteger8(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(Integer8Panel.self, arguments.pointee)
  sumColumns(arguments.pointee)
  #if WIDENS_BYTES
    partPairs(arguments.pointee)
  #endif
}

/// Groups of two bytes of each column where products take so many.
@inline(__always)
private func partPairs(_ p: ApusPanelPacking) {
  var group = p.target
  var element = 0
  while element < p.depth {
    apus_part_pairs(group, p.width > lanes)
    group += p.targetStride
    element &+= 4
  }
}

/// The sums of the bytes of each column, which zero points are multiplied by.
@inline(__always)
private func sumColumns(_ p: ApusPanelPacking) {
  guard let sums = p.sums else { return }
  let ones = Int32Vector(repeating: 0x0101_0101)
  var lane = 0
  while lane < p.width {
    var sum = Int32Vector(repeating: 0)
    var group = UnsafeRawPointer(p.target + 4 &* lane)
    var element = 0
    while element < p.depth {
      sum = apus_dot_u8s8(sum, ones, group.vector())
      group += p.targetStride
      element &+= 4
    }
    UnsafeMutableRawPointer(sums + lane).storeBytes(of: sum, as: Int32Vector.self)
    lane &+= lanes
  }
}

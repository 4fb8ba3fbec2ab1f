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
    group += 4 &* p.width
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
      group += 4 &* p.width
      element &+= 4
    }
    UnsafeMutableRawPointer(sums + lane).storeBytes(of: sum, as: Int32Vector.self)
    lane &+= lanes
  }
}

/// For each column of a panel the largest magnitude among its elements; NaN when one is not finite.
@inline(never)
func largestMagnitudes(
  _ arguments: UnsafePointer<ApusPanelPacking>, _ result: UnsafeMutablePointer<Float>
) {
  let p = arguments.pointee
  var index = 0
  while index < p.width {
    result[index] = largestMagnitude(p.columns[index], depth: p.depth, p.scratch)
    index &+= 1
  }
}

@inline(__always)
private func largestMagnitude(
  _ column: ApusStoredColumn, depth: Int, _ spare: UnsafeMutableRawPointer
) -> Float {
  guard let address = column.address else { return 0 }
  let zero = FloatVector(repeating: 0)
  var largest = zero
  // Zero as long as every element is finite.
  var taint = zero
  var element = 0
  while element < depth {
    let count = min(lanes, depth &- element)
    let x: FloatVector
    if count == lanes {
      x = storedFloats(column, address, element)
    } else {
      let bytes = storedBytes(column.type)
      spare.storeBytes(of: zero, as: FloatVector.self)
      spare.copyMemory(from: address + element &* bytes, byteCount: count &* bytes)
      x = storedFloats(column, spare, 0)
    }
    largest = apus_greater_f32(apus_greater_f32(x, zero - x), largest)
    taint = apus_fma(taint, x, zero)
    element &+= lanes
  }
  spare.storeBytes(of: largest, as: FloatVector.self)
  (spare + vectorBytes).storeBytes(of: taint, as: FloatVector.self)
  var magnitude: Float = 0
  var lane = 0
  while lane < lanes {
    let value = spare.load(fromByteOffset: 4 &* lane, as: Float.self)
    magnitude = value > magnitude ? value : magnitude
    lane &+= 1
  }
  lane = 0
  while lane < lanes {
    magnitude += spare.load(fromByteOffset: vectorBytes &+ 4 &* lane, as: Float.self)
    lane &+= 1
  }
  return magnitude
}

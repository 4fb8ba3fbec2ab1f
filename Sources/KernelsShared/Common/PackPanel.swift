import CIntrinsics

// Stored columns to panels. Blocks of as many columns and groups as a vector has lanes are converted and
// transposed in registers; no byte past a column's last element is read.

@inline(__always)
func packPanel<F: PanelFormat>(_: F.Type, _ p: ApusPanelPacking) {
  let blockElements = lanes &* F.elements
  let groupBytes = 4 &* p.width
  let rows = p.scratch
  let spare = p.scratch + lanes &* vectorBytes
  var target = p.target
  var element = 0
  while element < p.depth {
    let count = min(blockElements, p.depth &- element)
    var lane = 0
    while lane < p.width {
      var index = 0
      while index < lanes {
        let column = p.columns[lane &+ index]
        convert(F.self, column, first: element, count: count, to: rows + index &* vectorBytes, spare)
        index &+= 1
      }
      let place = target + 4 &* lane
      if count == blockElements {
        apus_store_transposed(rows, place, groupBytes)
      } else {
        apus_store_transposed(rows, spare, vectorBytes)
        var group = 0
        while group &* F.elements < count {
          (place + group &* groupBytes).copyMemory(
            from: spare + group &* vectorBytes, byteCount: vectorBytes)
          group &+= 1
        }
      }
      lane &+= lanes
    }
    target += lanes &* groupBytes
    element &+= blockElements
  }
}

/// One column's part of a block, zeros after its last element.
@inline(__always)
private func convert<F: PanelFormat>(
  _: F.Type, _ column: ApusStoredColumn, first: Int, count: Int, to slot: UnsafeMutableRawPointer,
  _ spare: UnsafeMutableRawPointer
) {
  guard let address = column.address else {
    slot.storeBytes(of: Int32Vector(repeating: 0), as: Int32Vector.self)
    return
  }
  let bytes = storedBytes(column.type)
  if count == lanes &* F.elements {
    F.convert(column, address, first: first, to: slot)
    apus_prefetch(address + ((first &+ 4 &* lanes &* F.elements) &* bytes))
  } else {
    var part = 0
    while part < 4 {
      (spare + part &* vectorBytes).storeBytes(of: Int32Vector(repeating: 0), as: Int32Vector.self)
      part &+= 1
    }
    spare.copyMemory(from: address + first &* bytes, byteCount: count &* bytes)
    F.convert(column, spare, first: 0, to: slot)
  }
}

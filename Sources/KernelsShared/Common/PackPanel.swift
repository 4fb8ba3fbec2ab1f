import CIntrinsics

// Stored columns to panels. Blocks of as many columns and groups as a vector has lanes are converted and
// transposed in registers; columns that lie side by side, row by row, are converted as they come. No byte past a
// column's last element is read.

@inline(__always)
func packPanel<F: PanelFormat>(_: F.Type, _ p: ApusPanelPacking) {
  let blockElements = lanes &* F.elements
  let rows = p.scratch
  let spare = p.scratch + lanes &* vectorBytes
  let scales = spare + lanes &* vectorBytes
  let first = NeighbouringColumns(p.columns, scales)
  let second = p.width > lanes ? NeighbouringColumns(p.columns + lanes, scales) : first
  var target = p.target
  var element = 0
  while element < p.depth {
    let count = min(blockElements, p.depth &- element)
    var lane = 0
    while lane < p.width {
      let place = target + 4 &* lane
      let neighbours = lane == 0 ? first : second
      if neighbours.count > 0 {
        packRows(F.self, neighbours, element, count, to: place, stride: p.targetStride, spare)
        lane &+= lanes
        continue
      }
      var index = 0
      while index < lanes {
        let column = p.columns[lane &+ index]
        convert(F.self, column, first: element, count: count, to: rows + index &* vectorBytes, spare)
        index &+= 1
      }
      if count == blockElements {
        apus_store_transposed(rows, place, p.targetStride)
      } else {
        apus_store_transposed(rows, spare, vectorBytes)
        var group = 0
        while group &* F.elements < count {
          (place + group &* p.targetStride).copyMemory(
            from: spare + group &* vectorBytes, byteCount: vectorBytes)
          group &+= 1
        }
      }
      lane &+= lanes
    }
    target += lanes &* p.targetStride
    element &+= blockElements
  }
}

/// The part of a block that columns side by side have, `count` elements of each.
@inline(__always)
private func packRows<F: PanelFormat>(
  _: F.Type, _ columns: NeighbouringColumns, _ first: Int, _ count: Int,
  to place: UnsafeMutableRawPointer, stride: Int, _ spare: UnsafeMutableRawPointer
) {
  var place = place
  var element = 0
  while element < count {
    let group = F.group(columns, first &+ element, min(F.elements, count &- element), spare)
    place.storeBytes(of: group, as: Int32Vector.self)
    place += stride
    element &+= F.elements
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
  if count == lanes &* F.elements, column.step == bytes {
    F.convert(column, address, first: first, to: slot)
    apus_prefetch(address + ((first &+ 4 &* lanes &* F.elements) &* bytes))
  } else {
    var part = 0
    while part < 4 {
      (spare + part &* vectorBytes).storeBytes(of: Int32Vector(repeating: 0), as: Int32Vector.self)
      part &+= 1
    }
    gather(column, address, first: first, count: count, to: spare)
    F.convert(column, spare, first: 0, to: slot)
  }
}

/// Elements of a column, as they are stored, brought side by side.
@inline(__always)
func gather(
  _ column: ApusStoredColumn, _ address: UnsafeRawPointer, first: Int, count: Int,
  to target: UnsafeMutableRawPointer
) {
  let bytes = storedBytes(column.type)
  var source = address + first &* column.step
  if column.step == bytes {
    target.copyMemory(from: source, byteCount: count &* bytes)
    return
  }
  var place = target
  let end = target + count &* bytes
  while place < end {
    switch bytes {
    case 4: place.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
    case 2: place.storeBytes(of: source.loadUnaligned(as: UInt16.self), as: UInt16.self)
    default: place.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
    }
    source += column.step
    place += bytes
  }
}

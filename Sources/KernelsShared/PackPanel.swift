import CIntrinsics

// Stored columns to panels. Blocks of as many columns and groups as a vector has lanes are converted and
// transposed in registers; no byte past a column's last element is read.

@inline(never)
package func packFloat32(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(Float32Panel.self, arguments.pointee)
}

@inline(never)
package func packBFloat16(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(BFloat16Panel.self, arguments.pointee)
}

@inline(never)
package func packInteger8(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(Integer8Panel.self, arguments.pointee)
  sumColumns(arguments.pointee)
}

@inline(__always)
private func packPanel<F: PanelFormat>(_: F.Type, _ p: ApusPanelPacking) {
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
package func largestMagnitudes(
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

import CIntrinsics

/// For each column of a panel the largest magnitude among its elements; NaN when one is not finite.
@inline(never)
func largestMagnitudes(
  _ arguments: UnsafePointer<ApusPanelPacking>, _ result: UnsafeMutablePointer<Float>
) {
  let p = arguments.pointee
  var lane = 0
  while lane < p.width {
    let neighbours = NeighbouringColumns(p.columns + lane, p.scratch)
    if neighbours.count > 0 {
      let magnitudes = largestMagnitudes(neighbours, depth: p.depth, p.scratch)
      UnsafeMutableRawPointer(result + lane).storeBytes(of: magnitudes, as: FloatVector.self)
    } else {
      var index = lane
      while index < lane &+ lanes {
        result[index] = largestMagnitude(p.columns[index], depth: p.depth, p.scratch)
        index &+= 1
      }
    }
    lane &+= lanes
  }
}

/// The largest magnitude of what was seen, and what becomes NaN when an element is not finite.
private struct Magnitudes {
  private var largest = FloatVector(repeating: 0)
  /// Zero as long as every element is finite.
  private var taint = FloatVector(repeating: 0)

  @inline(__always)
  init() {}

  @inline(__always)
  mutating func add(_ x: FloatVector) {
    let zero = FloatVector(repeating: 0)
    largest = apus_greater_f32(apus_greater_f32(x, zero - x), largest)
    taint = apus_fma(taint, x, zero)
  }

  /// That of each lane.
  @inline(__always) var ofLanes: FloatVector { largest + taint }

  /// That of all lanes.
  @inline(__always)
  func ofAll(_ spare: UnsafeMutableRawPointer) -> Float {
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
}

@inline(__always)
private func largestMagnitudes(
  _ columns: NeighbouringColumns, depth: Int, _ spare: UnsafeMutableRawPointer
) -> FloatVector {
  var magnitudes = Magnitudes()
  var row = 0
  while row < depth {
    magnitudes.add(columns.floats(row, spare))
    row &+= 1
  }
  return magnitudes.ofLanes
}

@inline(__always)
private func largestMagnitude(
  _ column: ApusStoredColumn, depth: Int, _ spare: UnsafeMutableRawPointer
) -> Float {
  guard let address = column.address else { return 0 }
  var magnitudes = Magnitudes()
  var element = 0
  while element < depth {
    let count = min(lanes, depth &- element)
    if count == lanes, column.step == storedBytes(column.type) {
      magnitudes.add(storedFloats(column, address, element))
    } else {
      spare.storeBytes(of: FloatVector(repeating: 0), as: FloatVector.self)
      gather(column, address, first: element, count: count, to: spare)
      magnitudes.add(storedFloats(column, spare, 0))
    }
    element &+= lanes
  }
  return magnitudes.ofAll(spare)
}

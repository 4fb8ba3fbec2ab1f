import CIntrinsics

/// A vector of columns that lie side by side: element k of all of them is a part of row k of a matrix.
struct NeighbouringColumns {
  /// The first of the columns.
  private let column: ApusStoredColumn
  private let address: UnsafeRawPointer
  /// How many of the vector's columns there are, the first ones; 0 where they do not lie side by side.
  let count: Int
  /// What the elements of each column are multiplied by; 1 where there is none.
  private let scales: FloatVector

  /// - Parameters:
  ///   - columns: as many as a vector has lanes.
  ///   - spare: working memory of a vector.
  @inline(__always)
  init(_ columns: UnsafePointer<ApusStoredColumn>, _ spare: UnsafeMutableRawPointer) {
    column = columns[0]
    var lane = 0
    while lane < lanes {
      spare.storeBytes(of: columns[lane].scale, toByteOffset: 4 &* lane, as: Float.self)
      lane &+= 1
    }
    scales = UnsafeRawPointer(spare).vector()
    guard let address = column.address else {
      self.address = UnsafeRawPointer(columns)
      count = 0
      return
    }
    self.address = address
    let bytes = storedBytes(column.type)
    var place = address
    var index = 1
    while index < lanes, let next = columns[index].address, columns[index].type == column.type,
      columns[index].step == column.step, next == place + bytes
    {
      place = next
      index &+= 1
    }
    var end = index
    while end < lanes, columns[end].address == nil { end &+= 1 }
    // Columns of one element each lie side by side in either order.
    count = end == lanes && column.step != bytes ? index : 0
  }

  /// How the elements are stored.
  @inline(__always) var type: ApusStoredType { column.type }

  /// Element `row` of all columns as it is stored, as float32; zeros where there are no columns.
  /// - Parameter spare: working memory of a vector.
  @inline(__always)
  func stored(_ row: Int, _ spare: UnsafeMutableRawPointer) -> FloatVector {
    let place = address + row &* column.step
    if count == lanes { return storedFloats(column.type, place) }
    if column.type == ApusStoredFloat32 { return apus_load_part_f32(place, count) }
    spare.storeBytes(of: FloatVector(repeating: 0), as: FloatVector.self)
    spare.copyMemory(from: place, byteCount: count &* storedBytes(column.type))
    return storedFloats(column.type, spare)
  }

  /// The same times the columns' scales.
  @inline(__always)
  func floats(_ row: Int, _ spare: UnsafeMutableRawPointer) -> FloatVector { stored(row, spare) * scales }
}

import TensorCore

/// Rows of indices, each of which names a slice of a tensor by its leading axes.
struct SliceIndices: Sendable {
  /// The dimensions that one row indexes.
  let extents: [Int]
  /// Elements of one slice.
  let sliceSize: Int
  /// Rows.
  let count: Int
  let indexType: DataType

  /// - Parameter indices: of a type whose last dimension is at most the rank of `shape`.
  init(_ indices: TensorType, into shape: Shape) {
    let depth = indices.shape.dimensions.last ?? 0
    extents = Array(shape.dimensions[..<depth])
    sliceSize = shape.dimensions[depth...].reduce(1, *)
    count = indices.shape.dimensions.dropLast().reduce(1, *)
    indexType = indices.dataType
  }

  /// The number of the slice that row `row` of `indices` names.
  /// - Throws: ``ApusError`` when there is no such slice.
  func slice(_ row: Int, _ indices: IndexReader) throws(ApusError) -> Int {
    var slice = 0
    for position in 0..<extents.count {
      let index = indices[row * extents.count + position]
      guard index >= 0, index < extents[position] else { throw IndexReader.error(index, extents[position]) }
      slice = slice * extents[position] + index
    }
    return slice
  }
}

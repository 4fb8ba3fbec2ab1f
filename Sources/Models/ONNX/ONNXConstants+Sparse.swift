import Formats
import TensorCore

extension ONNXConstants {
  /// All elements of a sparse tensor, made when they are first read.
  /// - Throws: ``ApusError`` of kind `malformedModel` for places outside the shape or out of order, of kind
  ///   `unsupportedModel` for a shape of far more elements than are listed.
  func tensor(_ sparse: ONNXSparseTensor) throws(ApusError) -> Tensor {
    do throws(ApusError) {
      return try dense(sparse)
    } catch {
      throw error.at(sparse.values.label)
    }
  }

  private func dense(_ sparse: ONNXSparseTensor) throws(ApusError) -> Tensor {
    let values = try elements(of: sparse.values)
    let type = TensorType(values.dataType, sparse.shape)
    // A few bytes must not ask for much memory.
    let limit = max(1 << 26, [values.type.byteCount, 1024].saturatingProduct)
    guard type.byteCount <= limit else {
      throw ApusError(
        .unsupportedModel, "\(type) with \(values.shape.elementCount) elements",
        expected: "at most \(limit) bytes")
    }
    let places = try Self.places(of: sparse, elements(of: sparse.places), count: values.shape.elementCount)
    let size = type.dataType.byteCount
    let derivation = Derivation(from: [values], rule: sparse.shape.dimensions + places) { target in
      values.withBytes { source in
        for (index, place) in places.enumerated() {
          for byte in 0..<size { target[place * size + byte] = source[index * size + byte] }
        }
      }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }

  /// Positions in row-major order, which ascend.
  private static func places(
    of sparse: ONNXSparseTensor, _ listed: Tensor, count: Int
  ) throws(ApusError) -> [Int] {
    let rank = sparse.shape.rank
    guard listed.dataType == .int64, [[count], [count, rank]].contains(listed.shape.dimensions) else {
      throw ApusError(
        .malformedModel, "places \(listed.type) of \(count) elements", expected: "int64, one for each")
    }
    let numbers = try listed.integers()
    var places = numbers
    if listed.shape.rank == 2 {
      let (extents, strides) = (sparse.shape.dimensions, sparse.shape.strides)
      places = []
      for row in 0..<count {
        var place = 0
        for axis in 0..<rank {
          let index = numbers[row * rank + axis]
          guard (0..<extents[axis]).contains(index) else { throw outside(index, sparse.shape) }
          place += index * strides[axis]
        }
        places.append(place)
      }
    }
    var last = -1
    for place in places {
      guard place > last, place < sparse.shape.elementCount else { throw outside(place, sparse.shape) }
      last = place
    }
    return places
  }

  private static func outside(_ place: Int, _ shape: Shape) -> ApusError {
    ApusError(
      .malformedModel, "an element at \(place) of shape \(shape)", expected: "places inside that ascend")
  }
}

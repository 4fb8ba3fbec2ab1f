import TensorCore

/// A tensor of which only elements other than 0 are listed: a `SparseTensorProto`.
package struct ONNXSparseTensor: Sendable {
  /// The elements; its name is that of the whole.
  package let values: ONNXTensor
  /// Where they lie: positions in row-major order [n], or an index for each axis [n, rank].
  package let places: ONNXTensor
  package let shape: Shape

  init(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance) throws(ApusError) {
    var (values, places): (ONNXTensor?, ONNXTensor?)
    var dimensions: [Int64] = []
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1: values = try ONNXTensor(field.bytes(), allowance)
      case 2: places = try ONNXTensor(field.bytes(), allowance)
      case 3: try field.appendInt64s(to: &dimensions)
      default: break
      }
    }
    guard let values, let places else {
      throw ApusError(
        .malformedModel, "a sparse tensor without elements or without their places", expected: "both",
        at: "byte \(message.startIndex)")
    }
    (self.values, self.places) = (values, places)
    do throws(ApusError) {
      try allowance.take(dimensions.count, at: message.startIndex)
      shape = try Shape(dimensions.map { Int($0) })
    } catch {
      throw error.at(values.label)
    }
  }
}

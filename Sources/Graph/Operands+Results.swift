import TensorCore

extension Operands {
  /// The type of result `index`, whose elements must be of the type `dataType`; the quantization is the one
  /// declared.
  /// - Throws: ``ApusError`` when the model declares another element type.
  func result(_ shape: Shape, of dataType: DataType, at index: Int = 0) throws(ApusError) -> TensorType {
    guard index < declared.count else { return TensorType(dataType, shape) }
    guard declared[index].dataType == dataType else {
      throw ApusError(
        .malformedModel, "result \(index) is declared as \(declared[index].dataType.rawValue)",
        expected: dataType.rawValue)
    }
    return TensorType(dataType, shape, quantization: declared[index].quantization)
  }

  /// The type of result `index`, whose elements must be of the type of operand `source`; the quantization is
  /// the one declared, else the operand's.
  /// - Throws: ``ApusError`` when the model declares another element type.
  func result(_ shape: Shape, like source: Int, at index: Int = 0) throws(ApusError) -> TensorType {
    let origin = try input(source)
    guard index < declared.count else {
      return TensorType(origin.dataType, shape, quantization: origin.quantization)
    }
    return try result(shape, of: origin.dataType, at: index)
  }

  /// The type of the one result, whose elements must be of the type `dataType`, else of that of operand 0.
  func result(_ shape: Shape, of dataType: DataType?, orLike source: Int) throws(ApusError) -> TensorType {
    if let dataType { return try result(shape, of: dataType) }
    return try result(shape, like: source)
  }

  /// The type of the one result of an operation that takes several: element type and quantization are those
  /// declared, else those of operand 0, and the operation looks at them itself.
  func declaredResult(_ shape: Shape) throws(ApusError) -> TensorType {
    guard let type = declared.first else { return try result(shape, like: 0) }
    return TensorType(type.dataType, shape, quantization: type.quantization)
  }

  /// The type of the result of an operation on one operand that keeps shape and element type.
  func unaryResult(of types: [DataType]) throws(ApusError) -> TensorType {
    try requireCount(1...1)
    return try result(input(0, of: types).shape, like: 0)
  }
}

/// The bounds on what one operation may produce where an operand's elements or an attribute say how much, so that a
/// tiny file that asks for a huge tensor is refused before any memory is asked for.
enum ResultLimit {
  /// Bytes that one result, or the working memory for it, may take: 2 GiB.
  static let byteCount = 2 << 30

  /// Results that one operation may have.
  static let resultCount = 1 << 16

  /// Refuses a number of results that is not in 1 … ``resultCount``.
  static func check(resultCount count: Int) throws(ApusError) {
    guard (1...resultCount).contains(count) else {
      throw ApusError(.malformedModel, "\(count) results", expected: "1 to \(resultCount)")
    }
  }
}

extension TensorType {
  /// The type itself, unless its elements take more than ``ResultLimit/byteCount``.
  func limited() throws(ApusError) -> TensorType {
    guard byteCount <= ResultLimit.byteCount else {
      throw ApusError(
        .unsupportedModel, "a result of \(byteCount) bytes (\(self))",
        expected: "at most \(ResultLimit.byteCount)")
    }
    return self
  }
}

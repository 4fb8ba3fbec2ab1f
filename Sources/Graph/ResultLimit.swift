import TensorCore

/// The bound on what one data-movement operation may produce, so that a tiny file that asks for a huge
/// tensor is refused before any memory is asked for.
enum ResultLimit {
  /// Bytes that one result, or the working memory for it, may take: 2 GiB.
  static let byteCount = 2 << 30

  /// Results that one operation may have.
  static let resultCount = 1 << 16

  /// Refuses a type whose elements take more than ``byteCount``.
  static func check(_ type: TensorType) throws(ApusError) -> TensorType {
    guard type.byteCount <= byteCount else {
      throw ApusError(
        .unsupportedModel, "a result of \(type.byteCount) bytes (\(type))", expected: "at most \(byteCount)")
    }
    return type
  }

  /// Refuses a number of results that is not in 1 … ``resultCount``.
  static func check(resultCount count: Int) throws(ApusError) {
    guard (1...resultCount).contains(count) else {
      throw ApusError(.malformedModel, "\(count) results", expected: "1 to \(resultCount)")
    }
  }
}

extension Operands {
  /// The type of result `index` when it holds elements of operand `source` unchanged under `shape`: the
  /// element type is the operand's, the quantization the declared one, else the operand's.
  /// - Throws: ``ApusError`` when the model declares another element type, or the result is over the limit.
  func moved(_ shape: Shape, _ index: Int = 0, from source: Int = 0) throws(ApusError) -> TensorType {
    let origin = try input(source)
    guard index < declared.count else {
      return try ResultLimit.check(TensorType(origin.dataType, shape, quantization: origin.quantization))
    }
    return try result(origin.dataType, shape, index)
  }

  /// The type of result `index` when its element type must be `dataType`, with the quantization declared.
  /// - Throws: ``ApusError`` when the model declares another element type, or the result is over the limit.
  func result(_ dataType: DataType, _ shape: Shape, _ index: Int = 0) throws(ApusError) -> TensorType {
    guard index < declared.count else { return try ResultLimit.check(TensorType(dataType, shape)) }
    guard declared[index].dataType == dataType else {
      throw ApusError(
        .malformedModel, "result \(index) is declared as \(declared[index].dataType.rawValue)",
        expected: dataType.rawValue)
    }
    return try ResultLimit.check(
      TensorType(dataType, shape, quantization: declared[index].quantization))
  }
}

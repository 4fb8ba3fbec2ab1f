import TensorCore

extension Operands {
  /// Refuses an operand whose elements are of another type than those in `supported`.
  func requireType(_ index: Int, _ supported: [DataType]) throws(ApusError) {
    let type = try input(index)
    guard supported.contains(type.dataType) else {
      throw ApusError(
        .unsupportedModel, "input \(index) is a tensor of \(type.dataType.rawValue)",
        expected: supported.map(\.rawValue).joined(separator: ", "))
    }
  }

  /// The type of the one result, whose elements must be of the type `dataType`.
  func output(_ shape: Shape, of dataType: DataType) throws(ApusError) -> TensorType {
    guard let type = declared.first else {
      let first = try input(0)
      return TensorType(
        dataType, shape, quantization: first.dataType == dataType ? first.quantization : nil)
    }
    guard type.dataType == dataType else {
      throw ApusError(
        .unsupportedModel, "a result of \(type.dataType.rawValue)", expected: dataType.rawValue)
    }
    return TensorType(dataType, shape, quantization: type.quantization)
  }

  /// The type of the result of an operation on one operand that keeps shape and element type.
  func unaryOutput(_ supported: [DataType]) throws(ApusError) -> TensorType {
    try requireCount(1...1)
    try requireType(0, supported)
    let type = try input(0)
    return try output(type.shape, of: type.dataType)
  }

  /// The shape of the result of an operation on two operands of one element type that broadcast.
  func binaryShape(_ supported: [DataType]) throws(ApusError) -> Shape {
    try requireCount(2...2)
    try requireType(0, supported)
    let (first, second) = (try input(0), try input(1))
    guard first.dataType == second.dataType else {
      throw ApusError(
        .malformedModel, "inputs of \(first.dataType.rawValue) and \(second.dataType.rawValue)",
        expected: "inputs of the same type")
    }
    return try first.shape.broadcast(with: second.shape)
  }
}

extension LoweringContext {
  /// The one result's type.
  var result: TensorType { results[0] }
}

extension ApusError {
  /// The error of a lowering for a type that `outputTypes` refuses.
  static func unsupportedType(_ dataType: DataType) -> ApusError {
    ApusError(.unsupportedModel, "a tensor of \(dataType.rawValue)")
  }
}

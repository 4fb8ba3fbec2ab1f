import TensorCore

/// The dimensions of a tensor, as a vector of int32 or int64.
package struct ShapeOf: ShapeOnlyOperation {
  package let elementType: DataType
  package var name: String { "shape" }

  package init(elementType: DataType = .int32) { self.elementType = elementType }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0).shape
    guard elementType == .int64 || elementType == .int32 else {
      throw ApusError(.unsupportedModel, "a shape as \(elementType.rawValue)", expected: "int32 or int64")
    }
    guard elementType == .int64 || shape.dimensions.allSatisfy({ $0 <= Int(Int32.max) }) else {
      throw ApusError(.unsupportedModel, "shape \(shape) as int32", expected: "dimensions that fit")
    }
    return [try operands.result(.vector(shape.rank), of: elementType)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    .constant(try context.operands.input(0).shape.dimensions, as: elementType)
  }
}

/// The number of a tensor's axes, as an int32 scalar.
package struct Rank: ShapeOnlyOperation {
  package var name: String { "rank" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    _ = try operands.input(0)
    return [try operands.result(.scalar, of: .int32)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    .constant([try context.operands.input(0).shape.rank], as: .int32)
  }
}

extension Lowering {
  /// A node that writes `elements`, which fit `dataType` (int32 or int64).
  fileprivate static func constant(_ elements: [Int], as dataType: DataType) -> Lowering {
    Lowering("constant") { arguments in
      for (index, element) in elements.enumerated() {
        if dataType == .int64 {
          arguments.output(0, as: Int64.self)[index] = Int64(element)
        } else {
          arguments.output(0, as: Int32.self)[index] = Int32(truncatingIfNeeded: element)
        }
      }
    }
  }
}

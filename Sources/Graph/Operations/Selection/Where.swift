import TensorCore

/// The indices of the elements that are not zero, row-major: int64 [n, rank].
///
/// How many there are shows only in a run: the inferred shape has room for all, each run states its own
/// leading dimension, and the rows behind it are zero.
package struct Where: Operation {
  package var name: String { "where" }

  package init() {}

  private static let types: [DataType] = [.bool, .float32, .int8, .int32, .int64, .uint8, .uint32]

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0, "the condition", of: Self.types).shape
    guard shape.rank > 0 else {
      throw ApusError(.unsupportedModel, "a scalar condition", expected: "at least one axis")
    }
    return [try operands.result(Shape([shape.elementCount, shape.rank]), of: .int64)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let kernel = WhereKernel(
      dimensions: type.shape.dimensions, strides: type.shape.strides,
      // A negative zero is zero.
      valueMask: type.dataType == .float32 ? UInt64(Int32.max) : .max)
    return Lowering("where", moving: type.dataType, kernel)
  }
}

private struct WhereKernel: WordKernel {
  let dimensions: [Int]
  let strides: [Int]
  /// The bits that make an element differ from zero.
  let valueMask: UInt64

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let condition = arguments.input(0, as: Word.self)
    let target = arguments.output(0, as: Int64.self)
    let mask = Word(truncatingIfNeeded: valueMask)
    var next = 0
    for element in 0..<condition.count where condition[element] & mask != 0 {
      for axis in 0..<dimensions.count {
        target[next] = Int64(element / strides[axis] % dimensions[axis])
        next += 1
      }
    }
    for rest in next..<target.count { target[rest] = 0 }
    // Last, because a throwing function that ends in a call of memset returns a wrong error (see
    // Tools/checks/check-tail-calls).
    arguments.setLeadingDimension(0, next / dimensions.count)
  }
}

import TensorCore

/// Zeros of the shape and type of operand 0, whatever its elements are.
package struct ZerosLike: ShapeOnlyOperation {
  package var name: String { "zerosLike" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    [try operands.unaryResult(of: [.float32, .int32, .int64])]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    Lowering("zeros", moving: context.result.dataType, ZerosKernel())
  }
}

private struct ZerosKernel: WordKernel {
  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    arguments.output(0, as: Word.self).update(repeating: 0)
  }
}

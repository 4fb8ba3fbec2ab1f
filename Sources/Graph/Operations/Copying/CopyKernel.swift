import TensorCore

/// Runs strided copies one after the other, each from an operand to a result.
struct CopyKernel: WordKernel {
  struct Item: Sendable {
    var input: Int
    var output: Int
    var copy: StridedCopy
  }

  let items: [Item]

  init(_ items: [Item]) { self.items = items }

  init(_ copy: StridedCopy, input: Int = 0) { items = [Item(input: input, output: 0, copy: copy)] }

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    for item in items {
      item.copy.run(
        from: arguments.input(item.input, as: Word.self).baseAddress,
        to: arguments.output(item.output, as: Word.self).baseAddress, arguments)
    }
  }
}

extension Lowering {
  /// One copy from operand `input` to the only result; nothing at all where they would be the same.
  static func copy(_ copy: StridedCopy, _ context: LoweringContext, input: Int = 0) throws(ApusError)
    -> Lowering
  {
    let type = try context.operands.input(input)
    let isWhole = context.results.first?.shape.elementCount == type.shape.elementCount
    if isWhole, copy.isIdentity(of: type.shape.elementCount) { return .alias(ofInput: input) }
    return Lowering("strided copy", moving: type.dataType, CopyKernel(copy, input: input))
  }
}

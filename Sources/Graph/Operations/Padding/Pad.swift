import TensorCore

/// Operand 0 with elements put before and after it along each axis, as many as the pairs in operand 1 say.
///
/// They are the element in operand 2 where there is one, as it is stored; else zero, which in a quantized
/// result is the zero point.
package struct Pad: Operation {
  package var name: String { "pad" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...3)
    if operands.has(2) {
      try operands.requireSameType([0, 2])
      guard try operands.input(2).shape.elementCount == 1 else {
        throw ApusError(
          .malformedModel, "a value of shape \(try operands.input(2).shape)", expected: "one element")
      }
    }
    return [try operands.padded()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let result = context.results[0]
    let interior = StridedCopy(
      paddedInterior: type.shape, of: result.shape, before: try context.operands.paddings().map(\.before))
    if interior.isIdentity(of: result.shape.elementCount) { return .alias(ofInput: 0) }
    return Lowering(
      "pad", moving: type.dataType,
      PadKernel(interior: interior, padding: .zero(of: result), hasValue: context.operands.has(2)))
  }
}

private struct PadKernel: WordKernel {
  let interior: StridedCopy
  let padding: Int
  let hasValue: Bool

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let target = arguments.output(0, as: Word.self)
    let value = hasValue ? arguments.input(2, as: Word.self)[0] : Word(truncatingIfNeeded: padding)
    target.update(repeating: value)
    interior.run(from: arguments.input(0, as: Word.self).baseAddress, to: target.baseAddress, arguments)
  }
}

extension Operands {
  /// How many elements operand 1 says to put before and after operand 0 along each axis.
  func paddings() throws(ApusError) -> [(before: Int, after: Int)] {
    try requirePairs(1, "the paddings", count: input(0).shape.rank)
  }

  /// The type of operand 0 with so many elements more.
  func padded() throws(ApusError) -> TensorType {
    let dimensions = zip(try input(0).shape.dimensions, try paddings()).map { $0 + $1.before + $1.after }
    return try result(Shape(dimensions), like: 0).limited()
  }
}

extension Int {
  /// What stands for zero in a tensor of type `type`: its zero point when it is quantized.
  static func zero(of type: TensorType) -> Int {
    guard type.dataType.isInteger, let quantization = type.quantization else { return 0 }
    return Int(quantization.zeroPoint)
  }
}

extension StridedCopy {
  /// The copy of a whole tensor of shape `shape` into one of shape `result`, `before` elements from its start
  /// along each axis.
  init(paddedInterior shape: Shape, of result: Shape, before: [Int]) {
    let isEmpty = shape.elementCount == 0
    let start = isEmpty ? 0 : zip(before, result.strides).reduce(0) { $0 + $1.0 * $1.1 }
    self.init(shape.dimensions, source: shape.strides, target: result.strides, to: start)
  }
}

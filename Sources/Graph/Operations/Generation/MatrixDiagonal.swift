import TensorCore

/// Square matrices with the rows of operand 0 as their diagonals and zeros elsewhere: [..., n] becomes
/// [..., n, n].
package struct MatrixDiagonal: Operation {
  package var name: String { "matrixDiagonal" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0).shape
    guard let extent = shape.dimensions.last else {
      throw ApusError(.malformedModel, "a scalar", expected: "at least one axis")
    }
    return [try operands.result(Shape(shape.dimensions + [extent]), like: 0).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    guard let extent = result.shape.dimensions.last else { return .nothing }
    return Lowering(
      "matrix diagonal", moving: result.dataType,
      MatrixDiagonalKernel(rows: extent, columns: extent, diagonalInput: 0, keepsRest: false))
  }
}

/// Operand 0, matrices, with their diagonals replaced by the rows of operand 1.
package struct MatrixSetDiagonal: Operation {
  package var name: String { "matrixSetDiagonal" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    try operands.requireSameType(0...1)
    let shape = try operands.input(0).shape
    let diagonal = try operands.input(1).shape
    guard shape.rank >= 2,
      diagonal.dimensions
        == Array(shape.dimensions.dropLast(2) + [min(shape[shape.rank - 2], shape[shape.rank - 1])])
    else {
      throw ApusError(
        .malformedModel, "diagonals of shape \(diagonal) for shape \(shape)", expected: "one for each matrix")
    }
    return [try operands.result(shape, like: 0).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    return Lowering(
      "matrix diagonal", moving: result.dataType,
      MatrixDiagonalKernel(
        rows: result.shape[result.shape.rank - 2], columns: result.shape[result.shape.rank - 1],
        diagonalInput: 1, keepsRest: true))
  }
}

private struct MatrixDiagonalKernel: WordKernel {
  let rows: Int
  let columns: Int
  let diagonalInput: Int
  /// Whether what is off the diagonal comes from operand 0; else it is zero.
  let keepsRest: Bool

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let target = arguments.output(0, as: Word.self)
    if keepsRest {
      _ = target.update(fromContentsOf: arguments.input(0, as: Word.self))
    } else {
      target.update(repeating: 0)
    }
    let diagonal = arguments.input(diagonalInput, as: Word.self)
    let length = min(rows, columns)
    for index in 0..<diagonal.count {
      let (matrix, row) = index.quotientAndRemainder(dividingBy: length)
      target[(matrix * rows + row) * columns + row] = diagonal[index]
    }
  }
}

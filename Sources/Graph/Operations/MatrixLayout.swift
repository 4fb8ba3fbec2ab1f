import TensorCore

/// How two stacks of matrices are multiplied: C = A × B for each pair of matrices, which broadcast.
struct MatrixLayout: Sendable {
  /// The shape of the result.
  let shape: Shape
  /// Matrices in the result; 0 when it has no elements.
  let matrices: Int
  /// Rows of A and C, columns of B and C, columns of A.
  let rows: Int
  let columns: Int
  let depth: Int
  /// Elements from one row of A to the next, and along the sum.
  let aSteps: (row: Int, depth: Int)
  let bSteps: (column: Int, depth: Int)
  let transposes: (a: Bool, b: Bool)
  /// Whether all products are those of one matrix of all rows of A and one matrix B.
  let isOneProduct: Bool
  private let plan: BroadcastPlan

  /// - Throws: ``ApusError`` when an operand is not a matrix, the inner extents differ, or the outer axes do
  ///   not broadcast.
  init(_ a: Shape, _ b: Shape, transposeA: Bool, transposeB: Bool) throws(ApusError) {
    guard a.rank >= 2, b.rank >= 2 else {
      throw ApusError(.malformedModel, "shapes \(a) and \(b)", expected: "matrices, of rank 2 or more")
    }
    let lastOfA = (a[a.rank - 2], a[a.rank - 1])
    let lastOfB = (b[b.rank - 2], b[b.rank - 1])
    rows = transposeA ? lastOfA.1 : lastOfA.0
    depth = transposeA ? lastOfA.0 : lastOfA.1
    columns = transposeB ? lastOfB.0 : lastOfB.1
    let depthOfB = transposeB ? lastOfB.1 : lastOfB.0
    guard depth == depthOfB else {
      throw ApusError(
        .malformedModel, "a product of shapes \(a) and \(b) over \(depth) and \(depthOfB) elements",
        expected: "the same number")
    }
    let outerA = try Shape(Array(a.dimensions.dropLast(2)))
    let outerB = try Shape(Array(b.dimensions.dropLast(2)))
    let outer = try outerA.broadcast(with: outerB)
    shape = try Shape(outer.dimensions + [rows, columns])
    matrices = shape.elementCount == 0 ? 0 : outer.elementCount
    aSteps = transposeA ? (1, rows) : (depth, 1)
    bSteps = transposeB ? (depth, 1) : (1, columns)
    transposes = (transposeA, transposeB)
    isOneProduct = !transposeA && outerB.elementCount == 1 && outerA.elementCount == matrices
    plan = try BroadcastPlan(outerA, outerB)
  }

  /// Where the two factors of matrix `matrix` of the result start.
  func origins(ofMatrix matrix: Int) -> (a: Int, b: Int) {
    let (row, index) = matrix.quotientAndRemainder(dividingBy: plan.rowLength)
    let origins = plan.origins(ofRow: row)
    return (
      (origins.first + (plan.firstAdvances ? index : 0)) * rows * depth,
      (origins.second + (plan.secondAdvances ? index : 0)) * depth * columns
    )
  }
}

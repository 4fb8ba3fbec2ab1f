import Kernels
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
  private let transposes: (a: Bool, b: Bool)
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

  /// The name of a kernel of float products, which are slow without the library.
  static func floatKernel(_ name: String) -> String { BLAS.isAvailable ? "\(name) OpenBLAS" : name }

  /// One product of float matrices.
  /// - Parameters:
  ///   - matrix: which one.
  ///   - a: the first stack of matrices, whole.
  ///   - b: the second one.
  ///   - c: that matrix of the result.
  func multiply(
    _ matrix: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>
  ) {
    let origins = origins(ofMatrix: matrix)
    let done =
      depth > 0
      && BLAS.gemm(
        m: rows, n: columns, k: depth, a: a + origins.a, leadingA: transposes.a ? rows : depth,
        transposeA: transposes.a, b: b + origins.b, leadingB: transposes.b ? depth : columns,
        transposeB: transposes.b, c: c, leadingC: columns)
    if !done { product(a + origins.a, b + origins.b, c) }
  }

  /// One product of float matrices, element by element.
  private func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>)
  {
    for row in 0..<rows {
      for column in 0..<columns {
        var sum: Float = 0
        for k in 0..<depth {
          sum += a[row * aSteps.row + k * aSteps.depth] * b[column * bSteps.column + k * bSteps.depth]
        }
        c[row * columns + column] = sum
      }
    }
  }
}

import Kernels
import TensorCore

/// Some heads of each row, normalised one by one: as ``LayerNormalization`` and ``RMSNormalization`` normalise a row, with the
/// same factors for all heads.
///
/// Operands: x float32 [T, …], of which head h takes the columns `offset` + h · headWidth and on; the scale [headWidth], and of
/// a layer normalisation the offset [headWidth], constants of a float type. Result: float32 [T, heads · headWidth].
///
/// Source: Henry et al. 2020, "Query-Key Normalization for Transformers", section 3, with the learned factors of Dehghani et
/// al. 2023, "Scaling Vision Transformers to 22 Billion Parameters", section 2.
package struct HeadNormalization: Operation {
  package enum Kind: Sendable {
    case layer, rootMeanSquare
  }

  package let kind: Kind
  package let heads: Int
  package let epsilon: Float
  /// The first column of head 0.
  package let offset: Int
  package var name: String { "headNormalization" }

  package init(_ kind: Kind, heads: Int, epsilon: Float, offset: Int = 0) {
    (self.kind, self.heads, self.epsilon, self.offset) = (kind, heads, epsilon, offset)
  }

  private var factors: [(index: Int, role: String)] {
    kind == .layer ? [(1, "the scale"), (2, "the offset")] : [(1, "the scale")]
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let count = 1 + factors.count
    try operands.requireCount(count...count)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    let width = try operands.input(1, "the scale", rank: 1).shape[0]
    let columns = [heads, width].saturatingProduct
    guard heads > 0, width > 0, offset >= 0, rows[1] >= columns, offset <= rows[1] - columns else {
      throw ApusError(
        .malformedModel, "\(Operands.place(0, "the rows")) of shape \(rows) read from column \(offset)",
        expected: "\(heads) heads of \(width) columns from there on, at least one")
    }
    try operands.requireFactors(factors, width: width, epsilon: epsilon)
    return [try operands.result(try Shape([rows[0], columns]), of: .float32)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { Set(factors.map(\.index)) }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let (rows, columns, first, heads, epsilon) = (shape[0], shape[1], offset, heads, epsilon)
    let scale = try TensorStorage(copying: context.operands.requireConstant(1, "the scale").floats())
    let shift =
      kind == .layer
      ? try TensorStorage(copying: context.operands.requireConstant(2, "the offset").floats()) : nil
    let width = try context.operands.input(1).shape[0]
    let float = context.kernels.float
    // As of the operations on whole rows.
    let nanoseconds = heads * (width / float.lanes + 20)
    return Lowering("\(name) float32 \(context.kernels.choice[.float])") { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let result = arguments.outputAddress(0)
      ThreadPool.shared.parallel(
        count: rows, nanosecondsPerItem: nanoseconds, threads: arguments.threads
      ) { range, _ in
        for row in range {
          // The heads of a row lie side by side, as rows of their own.
          let (x, y) = (source + 4 * (row * columns + first), result + 4 * row * heads * width)
          if let shift {
            float.normalizeLayer(x, y, scale.base, shift.base, heads, width, epsilon)
          } else {
            float.normalizeRootMeanSquare(x, y, scale.base, heads, width, epsilon)
          }
        }
      }
    }
  }
}

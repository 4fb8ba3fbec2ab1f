/// How compressed-tensors packed matrices under the format `pack-quantized`, as a configuration says it.
struct PackedForm: Hashable, Sendable {
  /// Which weights have a scale of their own.
  enum Span: Hashable, Sendable {
    /// So many columns of a row; at its end those that are left.
    case group(Int)
    case row
    case matrix
  }

  /// Bits of a weight: 4 or 8.
  let bits: Int
  let span: Span
  /// Whether there are no zero points.
  let isSymmetric: Bool

  /// The int32 that a row, or a column of zero points, takes.
  func words(_ count: Int) -> Int {
    let each = 32 / bits
    return count / each + (count % each == 0 ? 0 : 1)
  }

  /// Columns that have a scale in common.
  func columnsOfScale(_ columns: Int) -> Int {
    if case .group(let size) = span { min(size, columns) } else { columns }
  }

  /// The shapes that the scales of a matrix may have.
  func scaleShapes(_ rows: Int, _ columns: Int) -> [[Int]] {
    switch span {
    case .group(let size): [[rows, columns / size + (columns % size == 0 ? 0 : 1)]]
    case .row: [[rows, 1], [rows]]
    case .matrix: [[1]]
    }
  }
}

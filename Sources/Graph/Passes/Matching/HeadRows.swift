import TensorCore

/// Queries, keys or values of many heads, as ``Attention`` reads them: rows of a matrix, each head some of its columns.
struct HeadRows {
  /// The value that the matrix is, under whatever shape.
  let base: Value
  /// Columns of the matrix.
  let columns: Int
  /// The column in which head 0 begins.
  let offset: Int
  /// Sequences, rows of each, heads, and columns of each.
  let batch: Int
  let length: Int
  let heads: Int
  let width: Int
  /// What every element is multiplied by.
  let factor: Float

  /// Sequences that are written down one by one, at most.
  private static let batchLimit = 1 << 16

  /// - Parameter view: [sequences and heads…, rows, columns of a head], of a value of `count` elements.
  init?(_ view: TensorView, count: Int) {
    guard let column = view.axes.last, let row = view.axes.dropLast().last, row.extent > 1,
      column.stride == 1 || column.extent == 1, row.stride > 0
    else { return nil }
    let outer = view.axes.dropLast(2).filter { $0.extent != 1 }
    let sequence = row.extent * row.stride
    switch (outer.first, outer.last, outer.count) {
    case (_, _, 0): (batch, heads) = (1, 1)
    case (let head?, _, 1) where head.stride == column.extent: (batch, heads) = (1, head.extent)
    case (let text?, _, 1) where text.stride == sequence: (batch, heads) = (text.extent, 1)
    case (let text?, let head?, 2) where text.stride == sequence && head.stride == column.extent:
      (batch, heads) = (text.extent, head.extent)
    default: return nil
    }
    guard view.offset + heads * column.extent <= row.stride, batch * sequence == count,
      batch <= Self.batchLimit, count <= Int(Int32.max)
    else { return nil }
    (base, factor) = (view.base, view.factor)
    (columns, offset) = (row.stride, view.offset)
    (length, width) = (row.extent, column.extent)
  }

  func isLike(_ other: Self) -> Bool {
    batch == other.batch && heads == other.heads && width == other.width
  }
}

extension GraphMatcher {
  /// What `value`, [sequences and heads…, rows, columns of a head], is read from as rows, as far away as possible first.
  /// - Parameter isTransposed: whether rows and columns are swapped.
  func headRows(_ value: Value, isTransposed: Bool) -> [HeadRows] {
    // Where sequences and heads are one axis, they were two before the reshape.
    var spellings = [value]
    while let last = spellings.last, spellings.count < Self.depth, let farther = unmerged(last) {
      spellings.append(farther)
    }
    return spellings.reversed().flatMap { value -> [HeadRows] in
      let rank = shape(of: value).rank
      guard rank >= 2 else { return [] }
      let order = Array(0..<rank - 2) + (isTransposed ? [rank - 1, rank - 2] : [rank - 2, rank - 1])
      return views(of: value).compactMap { view in
        view.transposed(order).flatMap { HeadRows($0, count: shape(of: view.base).elementCount) }
      }
    }
  }

  /// The value whose outer axes alone a reshape merges or splits to make `value`.
  func unmerged(_ value: Value) -> Value? {
    guard let operand = unshaped(value),
      shape(of: operand).dimensions.suffix(2) == shape(of: value).dimensions.suffix(2)
    else { return nil }
    return operand
  }
}

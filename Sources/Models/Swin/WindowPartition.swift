/// How the tokens of a picture, which lie in a grid, are divided into square windows of those that attend one another.
///
/// Source: Liu et al. 2021, "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", section 3.2.
struct WindowPartition: Sendable, Equatable {
  /// Of the grid.
  let rows: Int
  let columns: Int
  /// Tokens along each side of a window.
  let side: Int
  /// How many tokens windows lie to the right and below, compared with those that begin at the upper left. The last ones of
  /// a row or a column end with the tokens before the first, which they hide from the others.
  let shift: Int

  /// - Parameter isShifted: whether windows lie between those of the layer before, if there are several in each direction.
  init(rows: Int, columns: Int, side: Int, isShifted: Bool) {
    self.rows = rows
    self.columns = columns
    self.side = side
    shift = isShifted && min(rows, columns) > side ? side / 2 : 0
  }

  /// Windows one below the other.
  private var down: Int { (rows + side - 1) / side }
  /// Windows beside one another.
  private var across: Int { (columns + side - 1) / side }

  var count: Int { down * across }
  /// Places of a window.
  var area: Int { side * side }
  /// Whether windows have places without a token.
  var isPadded: Bool { rows % side != 0 || columns % side != 0 }

  /// The token of each place, counted row by row over the grid: window by window, and row by row in each; nil where there is
  /// none.
  var tokens: [Int?] {
    let (height, width) = (down * side, across * side)
    var tokens: [Int?] = []
    tokens.reserveCapacity(height * width)
    for top in stride(from: 0, to: height, by: side) {
      for left in stride(from: 0, to: width, by: side) {
        for y in top..<top + side {
          let row = (y + shift) % height
          for x in left..<left + side {
            let column = (x + shift) % width
            tokens.append(row < rows && column < columns ? row * columns + column : nil)
          }
        }
      }
    }
    return tokens
  }

  /// What hides tokens of one window from one another.
  struct Kind: Sendable, Equatable {
    /// Whether it ends with rows from above.
    let isLastOfColumn: Bool
    /// Whether it ends with columns from the left.
    let isLastOfRow: Bool
  }

  /// The kinds of windows that there are.
  var kinds: [Kind] {
    guard shift > 0 else { return [Kind(isLastOfColumn: false, isLastOfRow: false)] }
    return [false, true].flatMap { below in
      [false, true].map { Kind(isLastOfColumn: below, isLastOfRow: $0) }
    }
  }

  /// The index in ``kinds`` of each window's.
  var kindIndices: [Int] {
    guard shift > 0 else { return [Int](repeating: 0, count: count) }
    var indices: [Int] = []
    for row in 0..<down {
      for column in 0..<across {
        indices.append((row == down - 1 ? 2 : 0) + (column == across - 1 ? 1 : 0))
      }
    }
    return indices
  }

  /// Whether two places of a window are hidden from one another.
  func hides(_ place: Int, from other: Int, in kind: Kind) -> Bool {
    let edge = side - shift
    let (a, b) = (place.quotientAndRemainder(dividingBy: side), other.quotientAndRemainder(dividingBy: side))
    let rowsDiffer = (a.quotient < edge) != (b.quotient < edge)
    let columnsDiffer = (a.remainder < edge) != (b.remainder < edge)
    return kind.isLastOfColumn && rowsDiffer || kind.isLastOfRow && columnsDiffer
  }

  /// The row of a learned table for how far a key's place lies from its query's.
  func step(query: Int, key: Int) -> Int {
    let (from, to) = (
      query.quotientAndRemainder(dividingBy: side), key.quotientAndRemainder(dividingBy: side)
    )
    let down = from.quotient - to.quotient + side - 1
    let right = from.remainder - to.remainder + side - 1
    return down * (2 * side - 1) + right
  }

  /// Rows of such a table.
  var steps: Int { (2 * side - 1) * (2 * side - 1) }
}

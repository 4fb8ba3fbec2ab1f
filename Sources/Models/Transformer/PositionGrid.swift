import TensorCore

/// Position embeddings of a square grid brought to another grid by bicubic interpolation, as PyTorch's
/// `interpolate(mode: "bicubic", align_corners: False)` does it.
enum PositionGrid {
  /// How many patches lie below and beside one another.
  struct Extent: Equatable, Sendable {
    let rows: Int
    let columns: Int
    var count: Int { rows * columns }
  }

  /// - Parameters:
  ///   - table: [rows, width]; the first `prefix` rows belong to no patch and stay.
  ///   - rows: of the new grid.
  ///   - columns: of the new grid.
  /// - Returns: `prefix + rows · columns` rows.
  /// - Throws: ``ApusError`` when the table's other rows are no square.
  static func interpolate(
    _ table: [Float], width: Int, prefix: Int, rows: Int, columns: Int, by filter: CubicFilter = .plain
  ) throws(ApusError) -> [Float] {
    let patches = width > 0 ? table.count / width - prefix : 0
    guard let side = Self.side(ofSquare: patches) else {
      throw ApusError(
        .unsupportedModel, "position embeddings of \(patches) patches", expected: "a square number",
        advice: "Use the model at the picture size it was trained for.")
    }
    return interpolate(
      table, width: width, prefix: prefix, from: Extent(rows: side, columns: side),
      to: Extent(rows: rows, columns: columns), by: filter)
  }

  /// The same of a grid that is no square.
  /// - Parameter table: [prefix + patches of `old`, width].
  static func interpolate(
    _ table: [Float], width: Int, prefix: Int, from old: Extent, to new: Extent, by filter: CubicFilter
  ) -> [Float] {
    let horizontal = filter.taps(from: old.columns, to: new.columns)
    let vertical = filter.taps(from: old.rows, to: new.rows)
    var result = Array(table[..<(prefix * width)])
    result += [Float](repeating: 0, count: new.count * width)
    var line = [Float](repeating: 0, count: width)
    var place = prefix * width
    for rowTaps in vertical {
      for columnTaps in horizontal {
        for row in rowTaps {
          for feature in 0..<width { line[feature] = 0 }
          for column in columnTaps {
            let source = (prefix + row.position * old.columns + column.position) * width
            for feature in 0..<width { line[feature] += table[source + feature] * column.weight }
          }
          for feature in 0..<width { result[place + feature] += line[feature] * row.weight }
        }
        place += width
      }
    }
    return result
  }

  /// The side of a square of so many patches; nil when they are none.
  static func side(ofSquare patches: Int) -> Int? {
    let side = Int(Double(max(patches, 0)).squareRoot().rounded())
    return patches > 0 && side * side == patches ? side : nil
  }
}

import Glibc
import TensorCore

/// Position embeddings of a square grid brought to another grid by bicubic interpolation.
///
/// The rule is that of PyTorch's `interpolate(mode: "bicubic", align_corners: False)`, which transformers uses
/// for `interpolate_pos_encoding`: Keys' cubic convolution with a = −0.75, the edge repeated, no antialiasing.
enum PositionGrid {
  /// - Parameters:
  ///   - table: [rows, width]; the first `prefix` rows belong to no patch and stay.
  ///   - rows: of the new grid.
  ///   - columns: of the new grid.
  /// - Returns: `prefix + rows · columns` rows.
  /// - Throws: ``ApusError`` when the table's other rows are no square.
  static func interpolate(
    _ table: [Float], width: Int, prefix: Int, rows: Int, columns: Int
  ) throws(ApusError) -> [Float] {
    let patches = width > 0 ? table.count / width - prefix : 0
    let side = Int(Double(max(patches, 0)).squareRoot().rounded())
    guard patches > 0, side * side == patches else {
      throw ApusError(
        .unsupportedModel, "position embeddings of \(patches) patches", expected: "a square number",
        advice: "Use the model at the picture size it was trained for.")
    }
    let vertical = taps(from: side, to: rows)
    let horizontal = taps(from: side, to: columns)
    var result = Array(table[..<(prefix * width)])
    result.reserveCapacity((prefix + rows * columns) * width)
    for (sourceRows, rowWeights) in vertical {
      for (sourceColumns, columnWeights) in horizontal {
        for feature in 0..<width {
          var sum: Float = 0
          for (row, rowWeight) in zip(sourceRows, rowWeights) {
            var line: Float = 0
            for (column, weight) in zip(sourceColumns, columnWeights) {
              line += table[(prefix + row * side + column) * width + feature] * weight
            }
            sum += line * rowWeight
          }
          result.append(sum)
        }
      }
    }
    return result
  }

  /// For each new position the four old ones that it mixes, and their shares.
  private static func taps(from old: Int, to new: Int) -> [(positions: [Int], weights: [Float])] {
    let scale = Float(old) / Float(new)
    return (0..<new).map { position in
      let source = (Float(position) + 0.5) * scale - 0.5
      let first = source.rounded(.down)
      let offset = source - first
      let positions = (-1...2).map { min(max(Int(first) + $0, 0), old - 1) }
      return (positions, [outer(offset + 1), inner(offset), inner(1 - offset), outer(2 - offset)])
    }
  }

  private static let a: Float = -0.75

  /// Keys' kernel within one step of the centre.
  private static func inner(_ x: Float) -> Float { ((a + 2) * x - (a + 3)) * x * x + 1 }

  /// Keys' kernel between one and two steps of the centre.
  private static func outer(_ x: Float) -> Float { ((a * x - 5 * a) * x + 8 * a) * x - 4 * a }
}

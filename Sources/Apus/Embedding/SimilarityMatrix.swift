import Statistics
import TensorCore

/// The cosines of embeddings, a row for each of some and a column for each of others.
package struct SimilarityMatrix: Sendable {
  private let rows: [Embedding?]
  private let columns: [Embedding?]
  /// Whether columns are the rows, so that none is compared with itself where the nearest are asked for.
  private let isSquare: Bool

  /// - Parameters:
  ///   - rows: nil for an input without a vector.
  ///   - columns: what rows are compared with; nil for the rows themselves.
  package init(_ rows: [Embedding?], with columns: [Embedding?]? = nil) {
    self.rows = rows
    self.columns = columns ?? rows
    isSquare = columns == nil
  }

  package var rowCount: Int { rows.count }

  /// The cosines of a row, in the order of the columns; NaN where one of the two has no vector.
  package func cosines(ofRow row: Int) -> [Float] {
    guard let vector = rows[row] else { return columns.map { _ in .nan } }
    return columns.map { $0.map(vector.cosine) ?? .nan }
  }

  /// The columns of the greatest cosines of a row, the greatest first, of equal ones the first; itself left out.
  package func nearest(_ count: Int, ofRow row: Int) -> [(column: Int, cosine: Float)] {
    let cosines = cosines(ofRow: row)
    let known = cosines.indices.filter { !cosines[$0].isNaN && !(isSquare && $0 == row) }
    return Ranking.order(known.map { cosines[$0] }, count: count).map { (known[$0], cosines[known[$0]]) }
  }

  /// All cosines as an array of shape [rows, columns]; nil where there is no cosine.
  package func tensor() throws(ApusError) -> Tensor? {
    let values = rows.indices.flatMap(cosines(ofRow:))
    guard values.contains(where: { !$0.isNaN }) else { return nil }
    return try Tensor(values, shape: Shape([rows.count, columns.count]))
  }
}

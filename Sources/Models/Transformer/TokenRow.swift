/// The tokens of one text in a row, of which a mask may leave some out.
package struct TokenRow: Sendable {
  /// All tokens of the row, those left out too.
  package let ids: [Int32]
  /// The columns of the tokens that the model sees, in order.
  package let columns: [Int]

  /// A text of which the model sees every token.
  package init(_ ids: [Int32]) {
    self.ids = ids
    columns = Array(ids.indices)
  }

  /// - Parameter marks: as many as ids, 0 for each token that is left out.
  package init(_ ids: [Int32], marks: [Int32]) {
    self.ids = ids
    columns = zip(ids.indices, marks).filter { $0.1 != 0 }.map(\.0)
  }

  init(ids: [Int32], columns: [Int]) {
    self.ids = ids
    self.columns = columns
  }

  /// The tokens that the model sees.
  var seen: [Int32] { columns.map { ids[$0] } }
  /// The columns that it takes, those left out before the last that is seen too.
  var extent: Int { columns.last.map { $0 + 1 } ?? 0 }
}

import TensorCore

/// The tokens of one text, or of a pair, in a row, of which a mask may leave some out.
package struct TokenRow: Sendable {
  /// All tokens of the row, those left out too.
  package let ids: [Int32]
  /// The columns of the tokens that the model sees, in order.
  package let columns: [Int]
  /// The type of each token: of which text of a pair it is; nil where all are 0.
  package let types: [Int32]?

  /// - Parameters:
  ///   - marks: as many as ids, 0 for each token that is left out; nil where the model sees all.
  ///   - types: as many as ids; nil for 0.
  package init(_ ids: [Int32], marks: [Int32]? = nil, types: [Int32]? = nil) {
    let columns = marks.map { marks in zip(ids.indices, marks).filter { $0.1 != 0 }.map(\.0) }
    self.init(ids: ids, columns: columns ?? Array(ids.indices), types: types)
  }

  init(ids: [Int32], columns: [Int], types: [Int32]? = nil) {
    self.ids = ids
    self.columns = columns
    self.types = types.flatMap { $0.contains { $0 != 0 } ? $0 : nil }
  }

  /// Whether the model sees the last token of the row.
  var seesLast: Bool { columns.last == ids.count - 1 }
  /// The tokens that the model sees.
  var seen: [Int32] { columns.map { ids[$0] } }
  /// The types of the tokens that the model sees.
  var seenTypes: [Int32] { types.map { types in columns.map { types[$0] } } ?? columns.map { _ in 0 } }
  /// The columns that it takes, those left out before the last that is seen too.
  var extent: Int { columns.last.map { $0 + 1 } ?? 0 }
}

extension [TokenRow] {
  /// Refuses tokens left out between others: distances are those of columns, where a batch has the tokens that are seen
  /// side by side.
  /// - Parameter near: the distance up to which none matters.
  func requireNoGaps(beyond near: Int = 0) throws(ApusError) {
    for (index, row) in enumerated() {
      guard let first = row.columns.first, row.extent - first > row.columns.count,
        row.extent - 1 - first > near
      else { continue }
      let allowed =
        near > 0
        ? "ones side by side, or none farther than \(near) from another, as some layers see no farther"
        : "ones side by side: attention goes by the distances of tokens"
      throw ApusError(
        .argument, "tokens are left out between those that are seen", expected: allowed, at: "text \(index)")
    }
  }
}

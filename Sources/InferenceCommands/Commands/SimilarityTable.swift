import Apus

/// Inputs, and those that they are compared with.
struct SimilarityTable {
  private(set) var rows: [EmbeddedInput] = []
  /// What rows are compared with, unless that is the rows themselves.
  private(set) var columns: [EmbeddedInput] = []
  /// Whether rows are compared with each other.
  let comparesAll: Bool
  /// Arguments that stand for no input.
  private(set) var absent: [EmbeddedInput] = []

  init(comparesAll: Bool) { self.comparesAll = comparesAll }

  mutating func appendRow(_ embedded: EmbeddedInput) {
    if embedded.standsForInput { rows.append(embedded) } else { absent.append(embedded) }
  }

  mutating func appendColumn(_ embedded: EmbeddedInput) {
    if embedded.standsForInput { columns.append(embedded) } else { absent.append(embedded) }
  }

  var others: [EmbeddedInput] { comparesAll ? rows : columns }

  var matrix: SimilarityMatrix {
    SimilarityMatrix(rows.map(\.embedding), with: comparesAll ? nil : columns.map(\.embedding))
  }
}

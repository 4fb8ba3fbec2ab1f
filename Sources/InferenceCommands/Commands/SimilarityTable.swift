import Apus

/// Inputs, and those that they are compared with.
struct SimilarityTable {
  private(set) var rows: [EmbeddedInput] = []
  /// What rows are compared with, unless that is the rows themselves.
  private(set) var columns: [EmbeddedInput] = []
  /// Whether rows are compared with each other.
  let comparesAll: Bool
  /// What the command was given, in order.
  private(set) var entries: [Entry] = []

  /// What has become of an input, or of an argument that stands for none.
  enum Entry {
    case row(Int)
    case column(Int)
    case absent(EmbeddedInput)
  }

  init(comparesAll: Bool) { self.comparesAll = comparesAll }

  mutating func appendRow(_ embedded: EmbeddedInput) {
    guard embedded.standsForInput else { return entries.append(.absent(embedded)) }
    entries.append(.row(rows.count))
    rows.append(embedded)
  }

  mutating func appendColumn(_ embedded: EmbeddedInput) {
    guard embedded.standsForInput else { return entries.append(.absent(embedded)) }
    entries.append(.column(columns.count))
    columns.append(embedded)
  }

  func input(_ entry: Entry) -> EmbeddedInput {
    switch entry {
    case .row(let index): rows[index]
    case .column(let index): columns[index]
    case .absent(let embedded): embedded
    }
  }

  var others: [EmbeddedInput] { comparesAll ? rows : columns }

  var matrix: SimilarityMatrix {
    SimilarityMatrix(rows.map(\.embedding), with: comparesAll ? nil : columns.map(\.embedding))
  }
}

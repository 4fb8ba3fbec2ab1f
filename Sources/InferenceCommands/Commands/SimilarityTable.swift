import Apus

/// Inputs, and those that they are compared with.
struct SimilarityTable {
  private(set) var rows: [EmbeddedInput] = []
  /// The columns, unless rows are compared with themselves.
  private(set) var columns: [EmbeddedInput] = []
  /// Whether rows are compared with each other.
  let comparesAll: Bool
  /// The arguments, in order.
  private(set) var entries: [Entry] = []

  /// The outcome of an input, or of an argument without inputs.
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

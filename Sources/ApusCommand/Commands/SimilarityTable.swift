import Apus
import Statistics
import TensorCore

/// Inputs, and those that they are compared with.
struct SimilarityTable {
  var rows: [EmbeddedInput] = []
  /// What rows are compared with, unless that is the rows themselves.
  var columns: [EmbeddedInput] = []
  /// Whether rows are compared with each other.
  let comparesAll: Bool
  /// Arguments that stand for no input.
  private(set) var absent: [EmbeddedInput] = []

  init(comparesAll: Bool) { self.comparesAll = comparesAll }

  mutating func append(_ embedded: EmbeddedInput, to side: WritableKeyPath<SimilarityTable, [EmbeddedInput]>)
  {
    self[keyPath: embedded.standsForInput ? side : \.absent].append(embedded)
  }

  var others: [EmbeddedInput] { comparesAll ? rows : columns }

  /// The cosines of a row's vector and those of all others; nil where one of the two has none.
  func cosines(ofRow row: Int) -> [Float?] {
    let vector = rows[row].embedding
    return others.map { other in
      guard let vector, let other = other.embedding else { return nil }
      return vector.cosine(other)
    }
  }

  /// The positions of the nearest others of a row, itself left out, with their cosines.
  func nearest(_ count: Int, ofRow row: Int) -> [(position: Int, cosine: Float)] {
    let cosines = cosines(ofRow: row)
    let known = cosines.indices.filter { cosines[$0] != nil && !(comparesAll && $0 == row) }
    let values = known.map { cosines[$0] ?? 0 }
    return Ranking.order(values).prefix(count).map { (known[$0], values[$0]) }
  }

  /// All cosines, NaN where an input failed; nil where no input has a vector.
  func matrix() throws(ApusError) -> Tensor? {
    let values = rows.indices.flatMap { cosines(ofRow: $0).map { $0 ?? .nan } }
    guard values.contains(where: { !$0.isNaN }) else { return nil }
    return try Tensor(values, shape: Shape([rows.count, others.count]))
  }
}

extension EmbeddedInput {
  var embedding: Embedding? { try? result.get() }
}

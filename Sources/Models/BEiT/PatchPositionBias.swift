import Graph
import TensorCore

/// What attention adds to its scaled products for where a key's patch lies beside its query's: a learned number for each
/// head and each step in rows and columns, and three for the class token.
///
/// Source: Bao et al. 2022, "BEiT: BERT Pre-Training of Image Transformers", which takes it from Raffel et al. 2020; the
/// order of the numbers is that of the authors' files.
final class PatchPositionBias: Sendable {
  private let heads: Int
  /// Of the grid of patches.
  private let rows: Int
  private let columns: Int
  /// The numbers by query and key of each sum of tables, which the graphs of all batches share.
  private let known = Lock<[ExactText: Tensor]>([:])

  init(heads: Int, rows: Int, columns: Int) {
    self.heads = heads
    self.rows = rows
    self.columns = columns
  }

  /// Steps from a patch to another, each by rows and columns.
  private var steps: Int { (2 * rows - 1) * (2 * columns - 1) }

  /// The mask of an ``Attention`` by positions, float32 [1, heads, 1 + patches, 1 + patches]; nil without a table.
  /// - Parameter tables: those whose numbers are added up, each [steps + 3, heads].
  func mask(_ tables: [WeightPath], in graph: inout GraphBuilder) throws(ApusError) -> Value? {
    guard !tables.isEmpty else { return nil }
    let key = ExactText(tables.map(\.prefix).joined(separator: " + "))
    let numbers = try known.withLock { (known) throws(ApusError) -> Tensor in
      if let numbers = known[key] { return numbers }
      let numbers = try byPosition(tables)
      known[key] = numbers
      return numbers
    }
    return graph.constant("\(key) by position", numbers)
  }

  private func byPosition(_ tables: [WeightPath]) throws(ApusError) -> Tensor {
    var learned: [Float] = []
    for table in tables {
      let numbers = try table.tensor("relative_position_bias_table", [steps + 3, heads]).realNumbers()
      learned = learned.isEmpty ? numbers : zip(learned, numbers).map { $0 + $1 }
    }
    let length = 1 + rows * columns
    var numbers: [Float] = []
    numbers.reserveCapacity(heads * length * length)
    for head in 0..<heads {
      for query in 0..<length {
        for key in 0..<length { numbers.append(learned[row(query: query, key: key) * heads + head]) }
      }
    }
    return try Tensor(numbers, shape: Shape([1, heads, length, length]))
  }

  /// The row of a learned table for two tokens of a picture, of which the first is the class token.
  func row(query: Int, key: Int) -> Int {
    switch (query, key) {
    case (0, 0): return steps + 2
    case (0, _): return steps
    case (_, 0): return steps + 1
    default:
      let (from, to) = (
        (query - 1).quotientAndRemainder(dividingBy: columns),
        (key - 1).quotientAndRemainder(dividingBy: columns)
      )
      let down = from.quotient - to.quotient + rows - 1
      let right = from.remainder - to.remainder + columns - 1
      return down * (2 * columns - 1) + right
    }
  }
}

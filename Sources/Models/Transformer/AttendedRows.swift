import Graph
import TensorCore

/// What a layer's attention is given in the place of the layer's rows: the same rows in another order, with rows of zeros
/// among them.
struct AttendedRows {
  /// The layer's row that each is; nil of zeros.
  private let sources: [Int?]
  /// Which of them each of the layer's rows is.
  private let places: [Int]

  /// - Parameter sources: the layer's row that each is, all of them once; nil of zeros.
  init(_ sources: [Int?]) {
    self.sources = sources
    let rows = sources.enumerated().compactMap { place, row in row.map { (row: $0, place: place) } }
    places = rows.sorted { $0.row < $1.row }.map(\.place)
  }

  func attended(_ x: Value, at place: String, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    try graph.gather(x, rows: sources, at: "\(place) attended rows")
  }

  /// The rows of the layer, of what attention makes.
  func own(_ x: Value, at place: String, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    try graph.gather(x, rows: places, at: "\(place) own rows")
  }
}

extension GraphBuilder {
  /// Rows of a matrix of float32, and zeros where there is none.
  mutating func gather(_ x: Value, rows: [Int?], at place: String) throws(ApusError) -> Value {
    var source = x
    let (count, width) = (dimensions(x).first ?? 0, width(x))
    if rows.contains(nil) {
      let zeros = constant(
        "\(place) zeros", try Tensor([Float](repeating: 0, count: width), shape: Shape([1, width])))
      source = try apply(Concatenation(axis: 0), [x, zeros], at: "\(place) and zeros")
    }
    let numbers = try indices(rows.map { $0 ?? count }, at: "\(place) numbers")
    return try gather(source, numbers, at: place)
  }
}

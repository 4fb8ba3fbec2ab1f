import Apus
import ApusServing

/// What a client wants of the vectors besides what the model gives: fewer numbers, and a length of 1.
struct VectorShape: Equatable {
  /// Numbers wanted, as models trained for it (Matryoshka) allow; nil for all.
  var dimensions: Int?
  /// What is done with their length.
  var length: EmbeddingLength

  /// To be called before anything is computed.
  /// - Parameter width: the numbers of the model's vectors.
  /// - Throws: ``ServingError`` of kind `invalid` when these are fewer than are wanted.
  func check(width: Int) throws(ServingError) {
    guard let dimensions else { return }
    guard dimensions <= width else {
      throw ServingError(
        .invalid, "\(dimensions) dimensions are asked for; the model's vectors have \(width).")
    }
  }

  /// A model's vector in that shape, which it has room for. What was cut is brought back to a length of 1, without which
  /// cosines would be off, unless vectors are wanted as they were computed.
  func apply(_ vector: [Float]) -> [Float] {
    guard let dimensions, dimensions < vector.count else { return vector }
    let cut = Embedding(Array(vector.prefix(dimensions)))
    return (length == .raw ? cut : cut.unit).values
  }
}

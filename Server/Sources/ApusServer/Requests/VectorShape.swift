import Apus
import ApusServing

/// What a client wants of the vectors besides what the model gives: fewer numbers, a length of 1, padding masked.
struct VectorShape: Equatable {
  /// Numbers wanted, as models trained for it (Matryoshka) allow; nil for all.
  var dimensions: Int?
  /// What is done with their length.
  var length: EmbeddingLength
  /// Whether padding of texts is masked; nil for as the server was started.
  var masksPadding: Bool?

  /// A model's vector in that shape, which it has room for. What was cut is brought back to a length of 1, without which
  /// cosines would be off, unless vectors are wanted as they were computed.
  func apply(_ vector: [Float]) -> [Float] {
    guard let dimensions, dimensions < vector.count else { return vector }
    let cut = Embedding(vector).prefix(dimensions)
    return (length == .raw ? cut : cut.unit).values
  }
}

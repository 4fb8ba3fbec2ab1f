import Apus
import ApusServing

/// What a client wants of the vectors besides what the model gives: fewer numbers, and a length of 1.
struct VectorShape: Equatable {
  /// Numbers wanted, as models trained for it (Matryoshka) allow; nil for all.
  var dimensions: Int?
  /// What is done with their length.
  var length: EmbeddingLength

  /// A model's vector in that shape. What was cut is brought back to a length of 1, without which cosines would be off,
  /// unless vectors are wanted as they were computed.
  /// - Throws: ``ServingError`` of kind `invalid` when the model's vectors have fewer numbers.
  func apply(_ vector: [Float]) throws(ServingError) -> [Float] {
    guard let dimensions, dimensions != vector.count else { return vector }
    guard dimensions < vector.count else {
      throw ServingError(
        .invalid, "\(dimensions) dimensions are asked for; the model's vectors have \(vector.count).")
    }
    let cut = Array(vector.prefix(dimensions))
    return length == .raw ? cut : Self.unit(cut)
  }

  /// The vector of length 1 in the same direction; one without direction stays as it is.
  static func unit(_ vector: [Float]) -> [Float] {
    let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    guard length > 0, length.isFinite else { return vector }
    return vector.map { Float(Double($0) / length) }
  }

  /// The cosine of the angle between two vectors; 0 where one is zero, or they are not equally wide.
  static func cosine(_ a: [Float], _ b: [Float]) -> Float {
    guard a.count == b.count else { return 0 }
    var (dot, left, right) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      dot += Double(x) * Double(y)
      left += Double(x) * Double(x)
      right += Double(y) * Double(y)
    }
    let lengths = (left * right).squareRoot()
    return lengths > 0 ? Float(dot / lengths) : 0
  }
}

/// Arithmetic of embeddings, with sums in double precision.
enum Vectors {
  static func dot(_ a: [Float], _ b: [Float]) -> Double {
    var sum = 0.0
    for (x, y) in zip(a, b) { sum += Double(x) * Double(y) }
    return sum
  }

  /// The vector of length 1 in the same direction; one without direction stays as it is.
  static func unit(_ vector: [Float]) -> [Float] {
    let length = dot(vector, vector).squareRoot()
    guard length > 0, length.isFinite else { return vector }
    return vector.map { Float(Double($0) / length) }
  }

  /// The mean of vectors of one length.
  static func mean(_ vectors: [[Float]]) -> [Float] {
    guard let first = vectors.first else { return [] }
    return first.indices.map { index in
      Float(vectors.reduce(0.0) { $0 + Double($1[index]) } / Double(vectors.count))
    }
  }
}

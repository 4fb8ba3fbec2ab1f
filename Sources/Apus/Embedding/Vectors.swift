/// Arithmetic of embeddings, with sums in double precision: eight of them side by side, so that the processor adds
/// several at a time, and always in the same order.
enum Vectors {
  private typealias Lanes = SIMD8<Double>

  /// The sum of the products of two vectors, up to the end of the shorter one.
  static func dot(_ a: [Float], _ b: [Float]) -> Double { products(a, b).dot }

  /// The sum of the products of two vectors of one width, and that of the squares of the second, in one pass.
  static func dotAndSquare(_ a: [Float], _ b: [Float]) -> (dot: Double, square: Double) { products(a, b) }

  static func length(_ vector: [Float]) -> Double { dot(vector, vector).squareRoot() }

  /// The vector of length 1 in the same direction; one without direction stays as it is.
  static func unit(_ vector: [Float]) -> [Float] {
    let length = length(vector)
    guard length > 0, length.isFinite else { return vector }
    return vector.map { Float(Double($0) / length) }
  }

  /// The mean of vectors of one width.
  static func mean(_ vectors: [[Float]]) -> [Float] {
    guard let first = vectors.first else { return [] }
    return first.indices.map { index in
      Float(vectors.reduce(0.0) { $0 + Double($1[index]) } / Double(vectors.count))
    }
  }

  private static func products(_ a: [Float], _ b: [Float]) -> (dot: Double, square: Double) {
    let count = min(a.count, b.count)
    let whole = count - count % Lanes.scalarCount
    var (dots, squares) = (Lanes.zero, Lanes.zero)
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        for first in stride(from: 0, to: whole, by: Lanes.scalarCount) {
          let place = first * MemoryLayout<Float>.stride
          let (x, y) = (lanes(a, place), lanes(b, place))
          dots += x * y
          squares += y * y
        }
      }
    }
    var (dot, square) = (dots.sum(), squares.sum())
    for index in whole..<count {
      dot += Double(a[index]) * Double(b[index])
      square += Double(b[index]) * Double(b[index])
    }
    return (dot, square)
  }

  private static func lanes(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Lanes {
    Lanes(bytes.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self))
  }
}

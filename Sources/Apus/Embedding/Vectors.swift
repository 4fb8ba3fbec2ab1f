/// Arithmetic of embeddings, with sums in double precision: eight of them side by side, so that the processor adds
/// several at a time, and always in the same order.
enum Vectors {
  private typealias Lanes = SIMD8<Double>

  /// The sum of the products of two vectors, up to the end of the shorter one.
  static func dot(_ a: [Float], _ b: [Float]) -> Double {
    let count = min(a.count, b.count)
    let whole = count - count % Lanes.scalarCount
    var sums = Lanes.zero
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        for first in stride(from: 0, to: whole, by: Lanes.scalarCount) {
          sums += lanes(a, first) * lanes(b, first)
        }
      }
    }
    return (whole..<count).reduce(sums.sum()) { $0 + Double(a[$1]) * Double(b[$1]) }
  }

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

  /// Eight elements from `first` on.
  private static func lanes(_ bytes: UnsafeRawBufferPointer, _ first: Int) -> Lanes {
    let place = first * MemoryLayout<Float>.stride
    return Lanes(bytes.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self))
  }
}

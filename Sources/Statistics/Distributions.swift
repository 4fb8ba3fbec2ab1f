import CLibrary

/// How far two vectors of scores are apart.
package enum Distributions {
  /// Shares below this count as this: integer outputs hold zeros that only mean "less than a step".
  package static let floor = 1e-6

  /// The Kullback-Leibler divergence of `other` from `reference`, in nats: the mean of ln (reference / other)
  /// under `reference`, both brought to at least ``floor`` and then to the sum 1.
  package static func divergence(_ reference: [Float], _ other: [Float]) -> Double {
    let p = reference.map { max(Double($0), floor) }
    let q = other.map { max(Double($0), floor) }
    let (pSum, qSum) = (p.reduce(0, +), q.reduce(0, +))
    var sum = 0.0
    for (p, q) in zip(p, q) { sum += p / pSum * log(p / pSum / (q / qSum)) }
    // Rounding may leave a little less than nothing.
    return max(0, sum)
  }

  /// The cosine of the angle between two vectors; 0 when one has no direction.
  package static func cosine(_ a: [Float], _ b: [Float]) -> Double {
    var (dot, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      let (x, y) = (Double(x), Double(y))
      dot += x * y
      aa += x * x
      bb += y * y
    }
    let lengths = (aa * bb).squareRoot()
    return lengths > 0 ? dot / lengths : 0
  }
}

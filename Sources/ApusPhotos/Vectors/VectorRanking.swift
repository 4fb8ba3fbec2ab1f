import Kernels
import TensorCore

/// A content and how near it is to a query.
package struct VectorMatch: Sendable, Hashable {
  package let contentID: Int64
  /// The cosine of the query and the stored float16 vector.
  package let cosine: Float

  package init(contentID: Int64, cosine: Float) {
    (self.contentID, self.cosine) = (contentID, cosine)
  }
}

/// The exact order of candidates.
package enum VectorRanking {
  /// The candidates nearest to a query, best first; of equal ones that of the lower number.
  /// - Parameters:
  ///   - count: at most so many.
  ///   - vector: the float16 vector of a content; nil where it is gone meanwhile.
  /// - Throws: ``ApusError`` of kind `argument` for a vector of another width than the query's, and what `vector`
  ///   throws.
  package static func matches(
    _ candidates: [VectorCandidate], to query: [Float], count: Int,
    vector: (Int64) throws(ApusError) -> [Float16]?
  ) throws(ApusError) -> [VectorMatch] {
    var matches: [VectorMatch] = []
    for candidate in candidates {
      guard let numbers = try vector(candidate.contentID) else { continue }
      guard numbers.count == query.count else {
        throw ApusError(
          .argument, "a vector of \(numbers.count) numbers", expected: "\(query.count)",
          at: "content \(candidate.contentID)")
      }
      matches.append(VectorMatch(contentID: candidate.contentID, cosine: cosine(query, numbers)))
    }
    matches.sort { $0.cosine != $1.cosine ? $0.cosine > $1.cosine : $0.contentID < $1.contentID }
    return Array(matches.prefix(max(0, count)))
  }

  /// The cosine of two vectors, in double precision; 0 where one of them has no direction.
  package static func cosine(_ a: [Float], _ b: [Float16]) -> Float {
    let b = widened(b)
    var (products, squaresA, squaresB) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      products += Double(x) * Double(y)
      squaresA += Double(x) * Double(x)
      squaresB += Double(y) * Double(y)
    }
    let length = (squaresA * squaresB).squareRoot()
    let cosine = Float(products / length)
    return cosine.isFinite ? max(-1, min(1, cosine)) : 0
  }

  /// Float16 as float32, with the processor's instruction where it has one.
  private static func widened(_ halves: [Float16]) -> [Float] {
    [Float](unsafeUninitializedCapacity: halves.count) { target, count in
      count = halves.count
      halves.withUnsafeBytes { source in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        KernelSet.best.float.widenFloat16(source, target, halves.count)
      }
    }
  }
}

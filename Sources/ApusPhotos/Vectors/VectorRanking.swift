import TensorCore

/// A content and how near it is to a query.
package struct VectorMatch: Sendable, Hashable {
  package let contentID: Int64
  /// The cosine of the query and the stored vector.
  package let cosine: Float

  package init(contentID: Int64, cosine: Float) {
    (self.contentID, self.cosine) = (contentID, cosine)
  }
}

/// Candidates in the order of their stored vectors. No more of these are read than it takes to know that nothing else is
/// nearer.
package struct VectorRanking {
  private let candidates: VectorCandidates
  private let query: [Float]
  /// Of the candidates, so many have been read.
  private var readCount = 0
  /// Vectors that were read and may not be the next yet, the best last.
  private var waiting: [Place] = []

  /// A content by its exact cosine; of equal ones the lower number is better.
  private struct Place {
    let contentID: Int64
    let cosine: Double

    func isBehind(_ other: Place) -> Bool {
      cosine != other.cosine ? cosine < other.cosine : contentID > other.contentID
    }
  }

  package init(_ candidates: VectorCandidates, to query: [Float]) {
    (self.candidates, self.query) = (candidates, query)
  }

  /// Whether there is no row besides the candidates.
  var isComplete: Bool { candidates.areAll }

  /// The next of them; nil where one that is no candidate may be nearer than those that are left, or none is left.
  /// - Parameter vector: the stored vector of a content; nil where it is gone meanwhile.
  /// - Throws: ``ApusError`` of kind `argument` for a vector of another width than the query's, and what `vector`
  ///   throws.
  package mutating func next(
    vector: (Int64) throws -> [Float]?
  ) throws -> VectorMatch? {
    while true {
      if let best = waiting.last, best.cosine > limit {
        waiting.removeLast()
        return VectorMatch(contentID: best.contentID, cosine: Float(best.cosine))
      }
      guard readCount < candidates.elements.count else { return nil }
      try read(vector)
    }
  }

  /// The upper bound of the cosines of unread vectors.
  private var limit: Double {
    if readCount == candidates.elements.count, candidates.areAll { return -.infinity }
    guard let next = candidates.elements.dropFirst(readCount).first ?? candidates.elements.last else {
      return -.infinity
    }
    return Double(next.score) + Double(candidates.uncertainty)
  }

  /// Reads some more, a quarter of those that wait at least, as all of these are put in order.
  private mutating func read(_ vector: (Int64) throws -> [Float]?) throws {
    let end = min(candidates.elements.count, readCount + max(8, waiting.count / 4))
    for candidate in candidates.elements[readCount..<end] {
      guard let numbers = try vector(candidate.contentID) else { continue }
      guard numbers.count == query.count else {
        throw ApusError(
          .argument, "a vector of \(numbers.count) numbers", expected: "\(query.count)",
          at: "content \(candidate.contentID)")
      }
      waiting.append(Place(contentID: candidate.contentID, cosine: Self.preciseCosine(query, numbers)))
    }
    waiting.sort { $0.isBehind($1) }
    readCount = end
  }

  /// The cosine of two vectors, in double precision; 0 where one of them has no direction.
  package static func cosine(_ a: [Float], _ b: [Float]) -> Float { Float(preciseCosine(a, b)) }

  private static func preciseCosine(_ a: [Float], _ b: [Float]) -> Double {
    var (products, squaresA, squaresB) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      products += Double(x) * Double(y)
      squaresA += Double(x) * Double(x)
      squaresB += Double(y) * Double(y)
    }
    let cosine = products / (squaresA * squaresB).squareRoot()
    return cosine.isFinite ? max(-1, min(1, cosine)) : 0
  }
}

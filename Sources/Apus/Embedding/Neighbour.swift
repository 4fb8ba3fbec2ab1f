import Statistics

/// An embedding among many, and how near it is.
public struct Neighbour: Sendable, Hashable, Codable {
  /// The position among those that were searched.
  public let index: Int
  /// The cosine of the angle to what was searched for, from -1 to 1.
  public let cosine: Float
}

extension Embedding {
  /// The embeddings that are nearest to one, nearest first; of equal ones the earlier is first.
  /// - Parameters:
  ///   - query: what is searched for.
  ///   - embeddings: of the same model; one of another width is as far as one that has nothing in common.
  ///   - count: how many are wanted; there are never more than embeddings.
  public static func nearest(
    to query: Embedding, in embeddings: [Embedding], count: Int = 10
  ) -> [Neighbour] {
    let length = Vectors.length(query.values)
    let cosines = embeddings.map { embedding in
      guard embedding.values.count == query.values.count else { return Float(0) }
      let (product, square) = Vectors.dotAndSquare(query.values, embedding.values)
      let lengths = length * square.squareRoot()
      return lengths > 0 ? Float(product / lengths) : 0
    }
    return Ranking.order(cosines).prefix(max(count, 0)).map { Neighbour(index: $0, cosine: cosines[$0]) }
  }

  /// The cosine of every embedding of one list with every one of another: a row for each of `rows`.
  public static func cosines(_ rows: [Embedding], _ columns: [Embedding]) -> [[Float]] {
    rows.map { row in
      var found = [Float](repeating: 0, count: columns.count)
      for neighbour in nearest(to: row, in: columns, count: columns.count) {
        found[neighbour.index] = neighbour.cosine
      }
      return found
    }
  }
}

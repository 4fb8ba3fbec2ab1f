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
  ///
  /// Each is compared as it is: some milliseconds for a thousand. For a hundred thousand and more, `PhotoIndex` of
  /// `ApusPhotos` keeps them in a table made for searching.
  /// - Parameters:
  ///   - query: what is searched for.
  ///   - embeddings: of the same model; one of another width is as far as one that has nothing in common.
  ///   - count: how many are wanted; there are never more than embeddings.
  public static func nearest(
    to query: Embedding, in embeddings: [Embedding], count: Int = 10
  ) -> [Neighbour] {
    let cosines = cosines([query], embeddings)[0]
    return Ranking.order(cosines, count: count).map { Neighbour(index: $0, cosine: cosines[$0]) }
  }

  /// The cosine of every embedding of one list with every one of another: a row for each of `rows`. It is 0 where one
  /// of the two is zero, or not as wide as the other.
  public static func cosines(_ rows: [Embedding], _ columns: [Embedding]) -> [[Float]] {
    let lengths = columns.map { Vectors.length($0.values) }
    return rows.map { row in
      let length = Vectors.length(row.values)
      return zip(columns, lengths).map { row.cosine($0, lengths: length * $1) }
    }
  }
}

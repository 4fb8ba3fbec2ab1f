import GRDB

/// Candidates in the order of their exact scores, with their vectors.
struct RankedCandidates {
  let matches: [VectorMatch]
  let vectors: [Int64: [Float16]]

  /// - Parameter query: the vector that is looked for, of length 1.
  init(_ candidates: [VectorCandidate], _ query: [Float], _ model: StoredModel, in database: Database) throws
  {
    var vectors: [Int64: [Float16]] = [:]
    for candidate in candidates {
      vectors[candidate.contentID] = try StoredVector.find(candidate.contentID, by: model, in: database)?
        .values
    }
    matches = try VectorRanking.matches(candidates, to: query, count: candidates.count) { vectors[$0] }
    self.vectors = vectors
  }
}

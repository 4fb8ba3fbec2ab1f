import GRDB

/// The photographs of candidates, in the order of their exact scores.
struct FoundPhotographs {
  private(set) var matches: [PhotoMatch] = []
  /// Whether one was not like the query enough: those behind it are less.
  private(set) var hasRefused = false

  /// - Parameters:
  ///   - query: the vector that is looked for, of length 1.
  ///   - count: at most so many.
  init(
    _ candidates: [VectorCandidate], _ query: [Float], _ test: ScoreTest, _ model: StoredModel, count: Int,
    in database: Database
  ) throws {
    let ranked = try RankedCandidates(candidates, query, model, in: database)
    for candidate in ranked.matches where matches.count < count {
      guard test.passes(candidate.cosine, ranked.vectors[candidate.contentID] ?? []) else {
        hasRefused = true
        continue
      }
      let paths = try Photo.paths(of: candidate.contentID, in: database)
      guard !paths.isEmpty, let photo = try Photo.find(candidate.contentID, in: database) else { continue }
      matches.append(PhotoMatch(score: candidate.cosine, paths: paths, photo: photo))
    }
  }
}

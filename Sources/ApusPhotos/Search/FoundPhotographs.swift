import GRDB
import TensorCore

/// The photographs that a search finds, in the exact order of their vectors.
struct FoundPhotographs {
  private(set) var matches: [PhotoMatch] = []
  private let test: ScoreTest
  private let model: StoredModel
  private let count: Int
  private var looked = 0
  private var hasRefused = false

  /// - Parameter count: at most so many.
  init(_ test: ScoreTest, _ model: StoredModel, count: Int) {
    (self.test, self.model, self.count) = (test, model, count)
  }

  /// Whether nothing is looked for behind what was looked at: there are enough, or some were not like the query enough,
  /// and what comes is less.
  var isComplete: Bool {
    matches.count >= count || hasRefused && looked / 4 >= max(10, count)
  }

  /// Takes the next in, unless all its files are missing or it is not like the query enough.
  mutating func look(at match: VectorMatch, in database: Database) throws {
    looked += 1
    let passes = try test.passes(match.cosine) {
      try StoredVector.find(match.contentID, by: model, in: database)?.values
    }
    guard passes else {
      hasRefused = true
      return
    }
    let paths = try Photo.paths(of: match.contentID, in: database)
    guard !paths.isEmpty, let photo = try Photo.find(match.contentID, in: database) else { return }
    matches.append(PhotoMatch(score: match.cosine, paths: paths, photo: photo))
  }
}

import Apus
import TensorCore

/// Whether a photograph is enough like a query.
struct ScoreTest {
  /// Sentences that are true of any photograph. One that a photograph is no more unlike than the query is not found by
  /// the query.
  static let neutral = [
    "a photo", "an image", "a picture of something", "a photo of a thing", "a photo of a place", "a snapshot",
    "something", "a blurry photo of nothing in particular",
  ]

  private let least: Float
  private let background: [[Float]]

  /// That every photograph passes.
  init() { (least, background) = (-.infinity, []) }

  /// - Throws: ``ApusError`` of kind `argument` for a score that is no number, or where nothing tells what is enough.
  init(_ minimum: MinimumScore, _ query: PhotoQuery, _ towers: QueryTowers, _ isCancelled: () -> Bool)
    throws(ApusError)
  {
    switch minimum {
    case .none: (least, background) = (-.infinity, [])
    case .cosine(let score):
      guard score.isFinite else {
        throw ApusError(.argument, "a least score of \(score)", expected: "a number")
      }
      (least, background) = (score, [])
    case .automatic:
      guard query.terms.contains(where: \.isSentence) else {
        throw ApusError(
          .argument, "nothing tells what is enough of a query without a sentence",
          expected: "a least score as a number")
      }
      (least, background) = (-.infinity, try towers.neutralVectors(isCancelled))
    }
  }

  /// - Parameters:
  ///   - score: the cosine of the query and the photograph.
  ///   - vector: of the photograph, which is asked for where the score does not decide; nil where it is gone.
  func passes(_ score: Float, vector: () throws -> [Float]?) rethrows -> Bool {
    guard score >= least else { return false }
    guard !background.isEmpty else { return true }
    guard let vector = try vector() else { return false }
    return background.allSatisfy { VectorRanking.cosine($0, vector) < score }
  }
}

extension PhotoQuery.Term {
  var isSentence: Bool { if case .sentence = subject { true } else { false } }
}

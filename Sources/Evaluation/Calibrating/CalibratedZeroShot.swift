import Apus
import TensorCore

/// What a calibration of a model of pictures and texts came to, and what it measured on pictures that it was not fitted
/// with.
package struct CalibratedZeroShot: Sendable {
  /// What became of known pictures, or of foreign ones.
  package struct Answers: Sendable {
    package let count: Int
    package let certain: Int
  }

  package let rejection: FittedRejection
  package let known: Answers
  /// Nil without foreign pictures.
  package let foreign: Answers?
  /// Of each kind of foreign pictures, where there are several, in the order of their names.
  package let foreignKinds: [(kind: String, answers: Answers)]

  /// - Parameters:
  ///   - known: features of known pictures.
  ///   - kinds: what each of them shows, by number.
  ///   - foreign: features of foreign pictures; may be empty.
  ///   - foreignKinds: of each of these.
  init(
    _ known: [[Float]], kinds: [Int], foreign: [[Float]], foreignKinds: [String],
    _ demands: CertaintyDemands
  ) throws(ApusError) {
    let kindCount = Set(kinds).count
    let novelties = try HeldOutNovelties(known, kinds, foreign: foreign, classCount: kindCount)
    // Scores are the labels', which nobody has named: none is in doubt.
    let answers = (novelties?.known ?? []).map {
      CertaintyChoice.Answer(score: 1, novelty: $0, isRight: true)
    }
    let foreignAnswers = zip(novelties?.foreign ?? [], foreignKinds).map {
      CertaintyChoice.Answer(score: 1, novelty: $0, kind: $1)
    }
    let choice = CertaintyChoice(answers, foreign: foreignAnswers, demands)
    guard let novelty = choice.novelty else {
      throw ApusError(
        .unsupportedModel, "a tower that shows no places of a picture", expected: "a transformer")
    }
    rejection = FittedRejection(
      model: try RejectionFit()(known, kinds, foreign: foreign, classCount: kindCount), threshold: novelty)
    self.known = Self.count(answers, choice)
    self.foreign = foreign.isEmpty ? nil : Self.count(foreignAnswers, choice)
    self.foreignKinds = choice.byKind(foreignAnswers).map { ($0.kind, Self.count($0.answers, choice)) }
  }

  /// Writes `rejection.apus` beside a `meta.json`, and its name into that; what else stands there stays.
  /// - Returns: the files that were written.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  package func write(metadata path: String) throws(ApusError) -> [String] {
    try CalibrationFiles.write(to: path, [], rejection)
  }

  private static func count(_ answers: [CertaintyChoice.Answer], _ choice: CertaintyChoice) -> Answers {
    Answers(count: answers.count, certain: answers.count(where: choice.isCertain))
  }
}

import Apus
import Statistics

/// What one model gave for each sample: a few numbers each, so that memory does not grow with the classes.
struct ModelTally: Sendable {
  /// The best class of each sample in the common numbering; ``noAnswer`` where outputs are not finite.
  private(set) var answers: [Int] = []
  /// The same by the model's own numbering; nil where outputs are not finite.
  private(set) var ownAnswers: [Int?] = []
  /// The score of the best class.
  private(set) var confidences: [Float] = []
  /// Why the model itself calls each answer uncertain; nil where it does not, and where there is none.
  private(set) var reasons: [Uncertainty?] = []
  /// The place of the right class among the scores; nil without a label.
  private(set) var places: [Int?] = []
  private(set) var preparations: [Double] = []
  private(set) var runs: [Double] = []
  private(set) var workspaceByteCount = 0
  private(set) var shape = OutputShape()

  /// The class of samples for which a model gives no numbers: one behind all others.
  let noAnswer: Int

  init(classCount: Int) { noAnswer = classCount }

  /// Whether there is an answer to any sample.
  var hasAnswers: Bool { answers.contains { $0 != noAnswer } }

  /// - Parameters:
  ///   - own: the scores by the model's numbering; nil when outputs are not finite.
  ///   - scores: the same in the common numbering.
  ///   - reason: why the model itself calls the answer uncertain; nil where it does not.
  mutating func add(
    _ outputs: ClassOutputs, own: [Float]?, scores: [Float], meaning: ScoreMeaning, reason: Uncertainty?,
    truth: Int?
  ) {
    reasons.append(own == nil ? nil : reason)
    if let own {
      let best = Ranking.best(scores)
      answers.append(best)
      ownAnswers.append(Ranking.best(own))
      confidences.append(scores[best])
      places.append(truth.map { Ranking.place(of: $0, in: scores) })
      shape.add(outputs.values, scores: own, meaning: meaning)
    } else {
      answers.append(noAnswer)
      ownAnswers.append(nil)
      confidences.append(0)
      places.append(truth.map { _ in noAnswer })
      shape.addNotFinite()
    }
    preparations.append(outputs.preparation)
    runs.append(outputs.run)
    workspaceByteCount = max(workspaceByteCount, outputs.workspaceByteCount)
  }

  /// The time of a sample becomes the median of its runs.
  mutating func add(repeats: [Double], ofSample sample: Int) {
    runs[sample] = ([runs[sample]] + repeats).quantile(0.5)
  }
}

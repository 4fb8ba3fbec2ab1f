import Apus
import Statistics

/// What the samples that were run have come to.
struct ComparisonTally: Sendable {
  /// One model's answer to one sample.
  struct Answer {
    let outputs: ClassOutputs
    /// Scores by the model's numbering of classes; nil when outputs are not finite.
    let own: [Float]?
    /// Scores in the common numbering.
    let scores: [Float]
    let meaning: ScoreMeaning
    /// Why the model itself calls it uncertain; nil where it does not.
    let reason: Uncertainty?
  }

  private(set) var items: [DataSet.Item] = []
  /// The class of each sample; nil without a label.
  private(set) var truths: [Int?] = []
  private(set) var skipped: [SkippedSample] = []
  /// What each sample is known by when copies are looked for.
  private(set) var likenesses: [SampleLikeness] = []
  private(set) var models: [ModelTally]
  /// Each model but the first against the first.
  private(set) var pairs: [PairTally]

  init(modelCount: Int, classCount: Int) {
    models = Array(repeating: ModelTally(classCount: classCount), count: modelCount)
    pairs = Array(repeating: PairTally(), count: modelCount - 1)
  }

  /// - Parameter answers: of each model, in order.
  mutating func add(
    _ item: DataSet.Item, _ answers: [Answer], truth: Int?, likeness: SampleLikeness
  ) {
    items.append(item)
    likenesses.append(likeness)
    truths.append(truth)
    for (index, answer) in answers.enumerated() {
      models[index].add(
        answer.outputs, own: answer.own, scores: answer.scores, meaning: answer.meaning,
        reason: answer.reason, truth: truth)
      if index > 0 { pairs[index - 1].add(answers[0].scores, answer.scores) }
    }
  }

  /// Takes the times of samples that were run again.
  mutating func add(repeats: [Double], ofSample sample: Int, model: Int) {
    models[model].add(repeats: repeats, ofSample: sample)
  }

  mutating func skip(_ sample: SkippedSample) { skipped.append(sample) }

  /// Whether the answer of a model is the right one, for each sample; nothing without labels.
  func isRight(_ model: Int) -> [Bool] { isWithin(1, model) }

  /// Whether the right class is among the best `count` of a model, for each sample.
  func isWithin(_ count: Int, _ model: Int) -> [Bool] {
    models[model].places.compactMap { $0.map { $0 < count } }
  }

  var isLabelled: Bool { !truths.contains(nil) }
}

/// How far the scores of a model are from the baseline's, for each sample.
struct PairTally: Sendable {
  private(set) var divergences: [Double] = []
  private(set) var cosines: [Double] = []

  mutating func add(_ baseline: [Float], _ other: [Float]) {
    divergences.append(Distributions.divergence(baseline, other))
    cosines.append(Distributions.cosine(baseline, other))
  }
}

extension Spread {
  /// Of at least one value; zeros of none.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let greatest = sorted.last else {
      self.init(mean: 0, median: 0, p95: 0, least: 0, greatest: 0)
      return
    }
    self.init(
      mean: sorted.mean, median: sorted.quantileOfSorted(0.5), p95: sorted.quantileOfSorted(0.95),
      least: least,
      greatest: greatest)
  }
}

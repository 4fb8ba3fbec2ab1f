import Statistics
import TensorCore

/// Makes the report of a model beside the baseline.
struct PairWriter {
  private let tally: ComparisonTally
  private let models: [ModelReport]
  private let other: Int
  private let family: PairFamily
  private let margin: Double?
  private let findings: CulpritSearch.Findings
  private let hasLayers: Bool
  private let certainty: CertaintyChange?

  /// - Parameters:
  ///   - margin: the loss that is held against the interval.
  ///   - hasLayers: whether the results of layers were compared.
  ///   - certainty: what the models' own thresholds and rejections make of it.
  init(
    _ tally: ComparisonTally, _ models: [ModelReport], other: Int, _ family: PairFamily, margin: Double?,
    _ findings: CulpritSearch.Findings, hasLayers: Bool, certainty: CertaintyChange?
  ) {
    self.certainty = certainty
    self.findings = findings
    self.hasLayers = hasLayers
    self.tally = tally
    self.models = models
    self.other = other
    self.family = family
    self.margin = margin
  }

  var report: PairReport {
    let answers = ConfusionMatrix(truths: tally.models[0].answers, answers: tally.models[other].answers)
    let agreement = family.agreement(0, other)
    let accuracy = family.accuracy(0, other)
    let held = margin.flatMap { margin in accuracy.map { MarginReport(margin, $0) } }
    let distances = tally.pairs[other - 1]
    return PairReport(
      baseline: 0, other: other, agreement: agreement, kappa: answers.kappa,
      divergence: Spread(distances.divergences), cosine: Spread(distances.cosines), accuracy: accuracy,
      top5: family.top5(0, other), flips: tally.flips(0, other), classes: classes,
      verdict: Verdict.sentence(models[0].letter, models[other].letter, accuracy, agreement),
      margin: held,
      marginSentence: held.flatMap { held in
        accuracy.map { Verdict.sentence(models[0].letter, models[other].letter, held, $0) }
      },
      speed: SpeedRatio(baseline: tally.models[0].runs, other: tally.models[other].runs),
      settings: findings.settings[other] ?? [], advice: advice(accuracy), certainty: certainty)
  }

  /// Where answers are lost and nothing says why, what has not been looked at.
  private func advice(_ accuracy: PairedAccuracy?) -> String? {
    guard let accuracy, accuracy.isSignificant, accuracy.difference < 0, !hasLayers,
      !findings.culprits.contains(where: { $0.model == other })
    else { return nil }
    return
      "No usual cause of the loss was found. The results of each layer, compared with \(Setting.layerSamples.given("8")), may "
      + "show the one that makes the error."
  }

  private var classes: [ClassChange] {
    guard let before = models[0].accuracy?.classes, let after = models[other].accuracy?.classes else {
      return []
    }
    let changed = Dictionary(uniqueKeysWithValues: after.map { ($0.label, $0.metrics) })
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.label, $0.metrics) })
    let changes = Set(known.keys).union(changed.keys).map { label in
      let support = (known[label] ?? changed[label])?.support ?? 0
      let absent = ClassMetrics(support: support, predicted: 0, hits: 0)
      return ClassChange(label: label, baseline: known[label] ?? absent, other: changed[label] ?? absent)
    }
    return changes.sorted { ($0.recallChange, $0.label) < ($1.recallChange, $1.label) }
  }
}

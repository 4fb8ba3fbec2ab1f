import Statistics

/// A model beside the baseline, on the same samples.
public struct PairReport: Sendable {
  /// Positions in ``ComparisonReport/models``: the baseline, and the other.
  public var baseline: Int
  /// The position of the other model.
  public var other: Int
  /// Samples with the same best class.
  public var agreement: Proportion
  /// Cohen's kappa of the best classes: agreement beyond chance, 1 for full agreement; NaN where both give one class
  /// only, on which they cannot but agree.
  public var kappa: Double
  /// The Kullback-Leibler divergence of the other's scores from the baseline's, in nats.
  public var divergence: Spread
  /// The cosine of the score vectors.
  public var cosine: Spread
  /// What the pair says of accuracy; nil for data without labels.
  public var accuracy: PairedAccuracy?
  /// The same for the right class being among the five best.
  public var top5: PairedAccuracy?
  /// Whether the loss of accuracy is within the margin that was asked for; nil where none was, or without labels.
  public var margin: MarginReport?
  /// How much longer a run of the other takes.
  public var speed: SpeedRatio?
  /// Samples with another best class, those that became wrong first, then those that became right.
  public var flips: [Flip]
  /// Classes by how much of them is found, the greatest loss first; empty for data without labels.
  public var classes: [ClassChange]
  /// The outcome in one sentence for people.
  public var verdict: String
  /// What the samples say of ``margin``, in a sentence or two.
  public var marginSentence: String?
  /// What the two models' files say each otherwise; whether it matters, the figures tell.
  public var settings: [SettingDifference]
  /// What to try next where answers are lost and no cause was found.
  public var advice: String?
  /// What the models' own thresholds and rejections make of the pair; nil where neither calls any answer uncertain.
  public var certainty: CertaintyChange?

  package init(
    baseline: Int, other: Int, agreement: Proportion, kappa: Double, divergence: Spread, cosine: Spread,
    accuracy: PairedAccuracy?, top5: PairedAccuracy?, flips: [Flip], classes: [ClassChange], verdict: String,
    margin: MarginReport? = nil, marginSentence: String? = nil, speed: SpeedRatio? = nil,
    settings: [SettingDifference] = [], advice: String? = nil, certainty: CertaintyChange? = nil
  ) {
    self.baseline = baseline
    self.other = other
    self.agreement = agreement
    self.kappa = kappa
    self.divergence = divergence
    self.cosine = cosine
    self.accuracy = accuracy
    self.top5 = top5
    self.flips = flips
    self.classes = classes
    self.verdict = verdict
    self.margin = margin
    self.marginSentence = marginSentence
    self.speed = speed
    self.settings = settings
    self.advice = advice
    self.certainty = certainty
  }
}

/// How a quantity of each sample is spread.
public struct Spread: Sendable, Hashable {
  /// The arithmetic mean.
  public var mean: Double
  /// The value that half of the samples stay below.
  public var median: Double
  /// The value that 95 % of the samples stay below.
  public var p95: Double
  /// The least of all samples.
  public var least: Double
  /// The greatest of all samples.
  public var greatest: Double

  package init(mean: Double, median: Double, p95: Double, least: Double, greatest: Double) {
    self.mean = mean
    self.median = median
    self.p95 = p95
    self.least = least
    self.greatest = greatest
  }
}

/// How much of one class two models find.
public struct ClassChange: Sendable, Hashable {
  /// A position in ``DataReport/classes``.
  public var label: Int
  /// What the baseline finds of the class.
  public var baseline: ClassMetrics
  /// What the other model finds of it.
  public var other: ClassMetrics

  package init(label: Int, baseline: ClassMetrics, other: ClassMetrics) {
    self.label = label
    self.baseline = baseline
    self.other = other
  }

  /// The other's recall less the baseline's.
  public var recallChange: Double { other.recall - baseline.recall }
}

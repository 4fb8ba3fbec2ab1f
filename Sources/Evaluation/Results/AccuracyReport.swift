import Statistics

/// How often a model is right.
public struct AccuracyReport: Sendable {
  /// The best class is the right one.
  public var top1: Proportion
  /// The right class is among the five best; nil when there are no more than five.
  public var top5: Proportion?
  /// The mean F1 of the classes that occur in the data or in the answers.
  public var macroF1: Double
  /// Its 95 % interval, by bootstrap (BCa, Efron 1987); nil where resamples do not differ.
  public var macroF1Interval: Interval?
  /// For each class that occurs in the data or in the answers, by its position in ``DataReport/classes``.
  public var classes: [ClassReport]
  /// Every pair of a true and a given class that occurred, by true class, then by given class.
  public var confusion: [Confusion]
  /// Whether its confidence is worth what it says; without anything in its bins for a model that gave no answer.
  public var calibration: Calibration
  /// The expected calibration error without what chance adds; nil for a model that gave no answer.
  public var calibrationError: CalibrationError?

  package init(
    top1: Proportion, top5: Proportion?, macroF1: Double, classes: [ClassReport], confusion: [Confusion],
    calibration: Calibration, macroF1Interval: Interval? = nil, calibrationError: CalibrationError? = nil
  ) {
    self.top1 = top1
    self.top5 = top5
    self.macroF1 = macroF1
    self.classes = classes
    self.confusion = confusion
    self.calibration = calibration
    self.macroF1Interval = macroF1Interval
    self.calibrationError = calibrationError
  }
}

/// How well a model tells one class from the others.
public struct ClassReport: Sendable, Hashable {
  /// A position in ``DataReport/classes``.
  public var label: Int
  /// Precision, recall and F1 of the class.
  public var metrics: ClassMetrics

  package init(label: Int, metrics: ClassMetrics) {
    self.label = label
    self.metrics = metrics
  }
}

/// How many samples of one class were said to be of a class: a cell of the confusion matrix.
public struct Confusion: Sendable, Hashable {
  /// Positions in ``DataReport/classes``.
  public var truth: Int
  /// What was said: a position in ``DataReport/classes``.
  public var answer: Int
  /// Samples of the one that were said to be of the other.
  public var count: Int

  package init(truth: Int, answer: Int, count: Int) {
    self.truth = truth
    self.answer = answer
    self.count = count
  }
}

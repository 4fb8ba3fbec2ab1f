import Statistics

/// How often a model is right.
package struct AccuracyReport: Sendable {
  /// The best class is the right one.
  package var top1: Proportion
  /// The right class is among the five best; nil when there are no more than five.
  package var top5: Proportion?
  /// The mean F1 of the classes that occur in the data or in the answers.
  package var macroF1: Double
  /// For each class that occurs in the data or in the answers, by its position in ``DataReport/classes``.
  package var classes: [ClassReport]
  /// Every pair of a true and a given class that occurred, by true class, then by given class.
  package var confusion: [Confusion]
  package var calibration: Calibration

  package init(
    top1: Proportion, top5: Proportion?, macroF1: Double, classes: [ClassReport], confusion: [Confusion],
    calibration: Calibration
  ) {
    self.top1 = top1
    self.top5 = top5
    self.macroF1 = macroF1
    self.classes = classes
    self.confusion = confusion
    self.calibration = calibration
  }
}

/// How well a model tells one class from the others.
package struct ClassReport: Sendable, Hashable {
  /// A position in ``DataReport/classes``.
  package var label: Int
  package var metrics: ClassMetrics

  package init(label: Int, metrics: ClassMetrics) {
    self.label = label
    self.metrics = metrics
  }
}

/// How many samples of one class were said to be of a class: a cell of the confusion matrix.
package struct Confusion: Sendable, Hashable {
  /// Positions in ``DataReport/classes``.
  package var truth: Int
  package var answer: Int
  package var count: Int

  package init(truth: Int, answer: Int, count: Int) {
    self.truth = truth
    self.answer = answer
    self.count = count
  }
}

import Networks
import Statistics

/// One model of a comparison by itself.
package struct ModelReport: Sendable {
  /// As it was named: `mobilenet.tflite`, `vit@int8`.
  package var name: String
  /// `A` for the baseline, `B`, `C`, … for the others.
  package var letter: String
  /// The file or folder that was loaded.
  package var path: String
  /// What it is and how it computes: `TFLite, int8 weights, computed in int8`.
  package var kind: String
  package var computation: Computation
  /// The classes that it tells apart.
  package var classCount: Int
  /// How samples become its input.
  package var preprocessing: String
  package var cost: CostReport
  /// Nil for data without labels.
  package var accuracy: AccuracyReport?
  /// What becomes of the answers at each threshold for "uncertain", by ascending threshold.
  package var sweep: [ThresholdPoint]
  /// Scores of the best class of each sample, in the order of ``DataReport/samples``.
  package var confidences: [Float]
  /// The best class of each sample, as a position in ``DataReport/classes``.
  package var answers: [Int]

  package init(
    name: String, letter: String, path: String, kind: String, computation: Computation, classCount: Int,
    preprocessing: String, cost: CostReport, accuracy: AccuracyReport?, sweep: [ThresholdPoint],
    confidences: [Float], answers: [Int]
  ) {
    self.name = name
    self.letter = letter
    self.path = path
    self.kind = kind
    self.computation = computation
    self.classCount = classCount
    self.preprocessing = preprocessing
    self.cost = cost
    self.accuracy = accuracy
    self.sweep = sweep
    self.confidences = confidences
    self.answers = answers
  }
}

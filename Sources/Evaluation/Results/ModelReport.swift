import Networks
import Statistics

/// One model of a comparison by itself.
public struct ModelReport: Sendable {
  /// As it was named: `mobilenet.tflite`, `vit@int8`.
  public var name: String
  /// `A` for the baseline, `B`, `C`, … for the others.
  public var letter: String
  /// The file or folder that was loaded.
  public var path: String
  /// What it is and how it computes: `TFLite, int8 weights, computed in int8`.
  public var kind: String
  /// Which numbers are multiplied, and by which kernels.
  public var computation: Computation
  /// The classes that it tells apart.
  public var classCount: Int
  /// How samples become its input.
  public var preprocessing: String
  /// What it costs on this machine.
  public var cost: CostReport
  /// Nil for data without labels.
  public var accuracy: AccuracyReport?
  /// Which answers it calls uncertain itself; nil where no model of the comparison calls any so.
  public var certainty: CertaintyReport?
  /// What becomes of the answers at each threshold for "uncertain", by ascending threshold.
  public var sweep: [ThresholdPoint]
  /// Scores of the best class of each sample, in the order of ``DataReport/samples``.
  public var confidences: [Float]
  /// The best class of each sample, as a position in ``DataReport/classes``.
  public var answers: [Int]
  /// Whether it gave any answer: a model whose outputs are never finite gives none.
  public var hasAnswers: Bool

  package init(
    name: String, letter: String, path: String, kind: String, computation: Computation, classCount: Int,
    preprocessing: String, cost: CostReport, accuracy: AccuracyReport?, sweep: [ThresholdPoint],
    confidences: [Float], answers: [Int], hasAnswers: Bool = true
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
    self.hasAnswers = hasAnswers
  }
}

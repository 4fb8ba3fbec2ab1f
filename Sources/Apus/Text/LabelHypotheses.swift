import Statistics
import TensorCore
import Text

/// Labels of the caller's own for texts, each put into a sentence that a model of entailment (natural language inference)
/// compares with the text (Yin et al. 2019, "Benchmarking Zero-shot Text Classification"). The scores are those of
/// transformers' pipeline `zero-shot-classification`.
public struct LabelHypotheses: Sendable, Hashable {
  /// The sentence of that pipeline.
  public static let usualTemplate = "This example is {}."

  public let labels: [String]
  /// Whether several labels may describe one text: each is then scored by itself, against its opposite. A single label
  /// always is.
  public let allowsSeveral: Bool
  private let templates: PromptTemplates

  /// - Parameters:
  ///   - labels: at least one.
  ///   - template: a sentence with `{}` where the label goes.
  ///   - allowsSeveral: whether each label is scored by itself.
  /// - Throws: ``ApusError`` of kind `argument` without a label, or a place for it.
  public init(
    _ labels: [String], template: String = LabelHypotheses.usualTemplate, allowsSeveral: Bool = false
  ) throws(ApusError) {
    guard !labels.isEmpty else { throw ApusError(.argument, "no label", expected: "at least one") }
    (self.labels, self.allowsSeveral) = (labels, allowsSeveral)
    templates = try PromptTemplates([template])
  }

  /// The pairs that a model reads: the text with the sentence of each label. Of a pair that is too long the text is cut.
  public func pairs(of text: String) -> [TextPair] {
    labels.flatMap { label in
      templates.prompts(label).map { TextPair(text, $0, cutting: .onlyFirst) }
    }
  }

  /// What a model says of one text.
  /// - Parameter results: one for each pair of ``pairs(of:)``.
  /// - Returns: the labels with their scores, best first; the output of each is its logit of entailment. Tokens are those of
  ///   the longest pair.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a model without a class of entailment, `argument` for results of
  ///   other pairs.
  public func classification(_ results: [TextClassification]) throws(ApusError) -> TextClassification {
    guard results.count == labels.count, let first = results.first else {
      throw ApusError(.argument, "\(results.count) results", expected: "\(labels.count), one for each label")
    }
    let classes = first.predictions.sorted { $0.index < $1.index }.map(\.label)
    let (entailment, opposite) = try Self.classes(classes)
    for result in results where result.outputs.count != classes.count {
      throw ApusError(
        .argument, "\(result.outputs.count) outputs", expected: "\(classes.count), all of the model's")
    }
    let logits = results.map { $0.outputs[entailment] }
    let isOneOfAll = !allowsSeveral && labels.count > 1
    let scores =
      isOneOfAll
      ? Self.softmax(logits)
      : results.map { Self.softmax([$0.outputs[opposite], $0.outputs[entailment]])[1] }
    let predictions = Ranking.order(scores).map { index in
      Prediction(label: labels[index], index: index, score: scores[index], isUncertain: false, details: nil)
    }
    return TextClassification(
      predictions: predictions, outputs: logits, isUncertain: false,
      tokenCount: results.map(\.tokenCount).max() ?? 0, wasTruncated: results.contains(where: \.wasTruncated),
      times: StageTimes(ofAll: results.map(\.times)))
  }

  /// The classes of a model that stand for yes and no.
  /// - Parameter names: its classes, by their index.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` where none begins with "entail".
  static func classes(_ names: [String]) throws(ApusError) -> (entailment: Int, opposite: Int) {
    guard names.count > 1, let entailment = names.firstIndex(where: { $0.lowercased().hasPrefix("entail") })
    else {
      throw ApusError(
        .unsupportedModel, "no class of entailment among \(names.prefix(8).joined(separator: ", "))",
        expected: "a model of natural language inference, one of whose classes is named entailment")
    }
    return (entailment, entailment == 0 ? names.count - 1 : 0)
  }

  private static func softmax(_ logits: [Float]) -> [Float] {
    let largest = logits.max() ?? 0
    return Probabilities.softmax(distances: logits.map { Double($0 - largest) })
  }
}

extension StageTimes {
  /// Those of several texts together.
  fileprivate init(ofAll times: [StageTimes]) {
    func sum(_ stage: KeyPath<StageTimes, Duration>) -> Double {
      times.reduce(0) { $0 + $1[keyPath: stage].milliseconds }
    }
    self.init(tokenize: sum(\.tokenize), run: sum(\.run), rank: sum(\.rank))
  }
}

extension TextClassifier {
  /// Scores labels of the caller's own for a text, with a model of entailment.
  /// - Returns: the labels, best first; ``TextClassification/outputs`` are their logits of entailment.
  /// - Throws: ``ApusError``: kind `unsupportedModel` for a model that takes no pairs or has no class of entailment,
  ///   `argument` for a text and a label without words, `cancelled`.
  public func classify(
    _ text: String, by hypotheses: LabelHypotheses
  ) async throws(ApusError) -> TextClassification {
    try await classify([text], by: hypotheses)[0]
  }

  /// The same of several texts.
  public func classify(
    _ texts: [String], by hypotheses: LabelHypotheses
  ) async throws(ApusError) -> [TextClassification] {
    try await hypothesisInference(hypotheses).inBackground(texts)
  }

  func hypothesisInference(_ hypotheses: LabelHypotheses) -> Inference<[String], [TextClassification]> {
    eachHypothesisInference(hypotheses).allTogether(naming: "text")
  }

  /// What comes of each text, of which one that fails does not stop the others.
  func eachHypothesisInference(
    _ hypotheses: LabelHypotheses
  ) -> Inference<[String], [Result<TextClassification, ApusError>]> {
    Inference { (texts, isCancelled) throws(ApusError) in
      _ = try LabelHypotheses.classes(self.labels)
      let pairs = texts.flatMap(hypotheses.pairs)
      let results = try self.eachPairInference(nil).work(pairs, isCancelled)
      let count = hypotheses.labels.count
      return texts.indices.map { index in
        Result { () throws(ApusError) -> TextClassification in
          var own: [TextClassification] = []
          for result in results[index * count..<(index + 1) * count] { own.append(try result.get()) }
          return try hypotheses.classification(own)
        }
      }
    }
  }

  /// The results of many texts, in which one that fails does not stop the others.
  package func results(
    for texts: [String], by hypotheses: LabelHypotheses
  ) async throws(ApusError) -> [Result<TextClassification, ApusError>] {
    try await eachHypothesisInference(hypotheses).inBackground(texts)
  }
}

extension Blocking<TextClassifier> {
  /// Scores labels of the caller's own for a text, with a model of entailment.
  /// - Throws: ``ApusError``, as of ``TextClassifier/classify(_:by:)-(String,_)``.
  public func classify(_ text: String, by hypotheses: LabelHypotheses) throws(ApusError) -> TextClassification
  {
    try classify([text], by: hypotheses)[0]
  }

  /// The same of several texts.
  public func classify(
    _ texts: [String], by hypotheses: LabelHypotheses
  ) throws(ApusError) -> [TextClassification] {
    try model.hypothesisInference(hypotheses).now(texts, until: isCancelled)
  }
}

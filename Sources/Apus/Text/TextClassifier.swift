import Networks
import TensorCore

/// Tells what kind of text a text is: its sentiment, with most models.
///
///     let classifier = try TextClassifier(model: "distilbert-base-uncased-finetuned-sst-2-english")
///     let result = try classifier.classify("A joy from start to finish.")
///     print(result.predictions[0].label, result.predictions[0].score)
///
/// A classifier may be used from any number of threads and tasks at once.
public final class TextClassifier: Sendable {
  let texts: TextPipeline
  /// What the output is; nil when each result shall show it.
  let meaning: ScoreMeaning?
  /// The names of the classes, by their index.
  public let labels: [String]
  /// The score below which a result is uncertain.
  public let threshold: Float
  /// The folder in use.
  public let path: String
  /// What it is computed with.
  public let computation: Computation
  /// The time that each part of loading took.
  public let loadMilliseconds: LoadMilliseconds

  /// - Parameters:
  ///   - model: a folder with a BERT, DistilBERT or RoBERTa for sequence classification; the name of a repository in
  ///     the local Hugging Face cache (nothing is downloaded); or a `.tflite` file whose metadata name a
  ///     RegexTokenizer, with the vocabulary in its archive.
  ///   - options: how the classifier is set up.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public init(model: String, options: TextOptions = TextOptions()) throws(ApusError) {
    try options.validate()
    var watch = Stopwatch()
    let opened = try OpenedModel(model)
    let (network, scoring) = try opened.classifier(of: .text, expected: "one for sequence classification")
    var load = LoadMilliseconds(open: watch.lap())
    texts = try TextPipeline(network, of: opened, options: opened.options(options.inference))
    load.tokenizer = watch.lap()
    let first = try texts.prepare()
    load.compile = watch.lap()
    computation = Computation(first.compiled, part: network.name)
    loadMilliseconds = load
    let classCount = first.outputs[0].type.shape.dimensions.last ?? 0
    let names = try opened.labels(classCount: classCount) ?? []
    let labels = try ClassLabels(path: nil, model: opened.path, classCount: classCount) { names }
    self.labels = (0..<classCount).map { labels[$0] }
    meaning = scoring.map(ScoreMeaning.init) ?? ScoreMeaning(ofOutput: 0, of: first.compiled.graph)
    path = opened.path
    threshold = options.threshold ?? opened.preparation.threshold ?? 0
  }

  /// Classifies a text and waits for the result.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ text: String) throws(ApusError) -> TextClassification {
    try classify([text])[0]
  }

  /// Classifies several texts together, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ texts: [String]) throws(ApusError) -> [TextClassification] {
    try inference.now(texts)
  }

  var inference: Inference<[String], [TextClassification]> {
    Inference { (texts, isCancelled) throws(ApusError) in
      try self.classify(texts, isCancelled: isCancelled)
    }
  }

  private func classify(_ texts: [String], isCancelled: () -> Bool) throws(ApusError) -> [TextClassification]
  {
    var watch = Stopwatch()
    let encodings = try self.texts.encode(texts)
    let outputs = try self.texts.outputs(for: encodings.map(\.ids), isCancelled: isCancelled)
    let milliseconds = watch.lap() / Double(max(texts.count, 1))
    var results: [TextClassification] = []
    for (encoding, output) in zip(encodings, outputs) {
      let scores = try ClassScores(output, meaning: meaning, model: path)
      let predictions = scores.best(labels.count).map {
        Prediction(label: labels[$0], index: $0, score: scores.values[$0])
      }
      results.append(
        TextClassification(
          predictions: predictions, isUncertain: (predictions.first?.score ?? 0) < threshold,
          tokenCount: encoding.ids.count, wasTruncated: encoding.wasTruncated, milliseconds: milliseconds))
    }
    return results
  }
}

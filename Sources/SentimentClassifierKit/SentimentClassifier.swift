import Apus

/// Tells whether texts speak well or ill of something.
///
///     let classifier = try await SentimentClassifier.load("distilbert-base-uncased-finetuned-sst-2-english")
///     let sentiment = try await classifier.classify("A joy from start to finish.")
///     print(sentiment.polarity, sentiment.score)
public final class SentimentClassifier: InferenceModel {
  /// How a classifier is set up. The defaults are the model's own.
  public typealias Options = TextClassifier.Options

  private let classifier: TextClassifier

  /// Opens a folder with a BERT, DistilBERT, RoBERTa, XLM-RoBERTa, MPNet, ELECTRA, ALBERT, ModernBERT or DeBERTa that
  /// tells negative from positive texts.
  /// - Throws: ``ApusError``: what `TextClassifier` throws, and `unsupportedModel` when
  ///   the classes are not those of sentiment.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    try self.init(TextClassifier(model, options: options))
  }

  /// Opens a model without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
  public static func load(
    _ model: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> SentimentClassifier {
    try SentimentClassifier(await TextClassifier.load(model, options: options, progress: progress))
  }

  private init(_ classifier: TextClassifier) throws(ApusError) {
    let unknown = classifier.labels.filter { Sentiment.Polarity(label: $0) == nil }
    guard unknown.isEmpty else {
      throw ApusError(
        .unsupportedModel, "classes named \(unknown.joined(separator: ", "))",
        expected: "names that say negative, neutral or positive", file: classifier.path,
        advice: "TextClassifier takes models of any classes.")
    }
    self.classifier = classifier
  }

  /// The names of the classes, by their index.
  public var labels: [String] { classifier.labels }
  /// The score below which a result is uncertain.
  public var threshold: Float { classifier.threshold }
  /// Why files beside the model were passed over.
  public var notes: [String] { classifier.notes }
  /// The folder in use.
  public var path: String { classifier.path }
  /// The arithmetic and kernels it runs on.
  public var computation: Computation { classifier.computation }
  /// The time that each part of loading took.
  public var loadTimes: LoadTimes { classifier.loadTimes }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { classifier.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { classifier.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { classifier.takeRunTimes() }

  /// The sentiment of a text.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ text: String) async throws(ApusError) -> Sentiment {
    try await classify([text])[0]
  }

  /// The sentiments of several texts, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ texts: [String]) async throws(ApusError) -> [Sentiment] {
    try await classifier.classify(texts, topK: 1).compactMap(Sentiment.init)
  }

  /// The sentiments of many texts, in their order, several being worked on at a time, each by itself.
  /// - Parameters:
  ///   - texts: taken from their sequence as they are needed.
  ///   - width: how many texts are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func classifications<Texts: Sequence<String>>(
    of texts: Texts, width: Int? = nil
  ) -> InferenceBatch<Texts, Sentiment> {
    InferenceOutcome.batch(of: texts, width: width) { (text) async throws(ApusError) in
      try await self.classify(text)
    }
  }

  /// The sentiments of texts that come by and by, in their order.
  public func classifications<Texts: AsyncSequence & Sendable>(
    of texts: Texts, width: Int? = nil
  ) -> InferenceStream<Texts, Sentiment> where Texts.Element == String {
    InferenceOutcome.stream(of: texts, width: width) { (text) async throws(ApusError) in
      try await self.classify(text)
    }
  }
}

extension Blocking<SentimentClassifier> {
  /// The sentiment of a text.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ text: String) throws(ApusError) -> Sentiment { try classify([text])[0] }

  /// The sentiments of several texts, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ texts: [String]) throws(ApusError) -> [Sentiment] {
    try model.now(texts)
  }
}

extension SentimentClassifier {
  fileprivate func now(_ texts: [String]) throws(ApusError) -> [Sentiment] {
    try classifier.blocking.classify(texts, topK: 1).compactMap(Sentiment.init)
  }
}

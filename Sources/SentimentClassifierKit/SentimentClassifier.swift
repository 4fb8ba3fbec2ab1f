import Apus

/// Tells whether texts speak well or ill of something.
///
///     let classifier = try SentimentClassifier(model: "distilbert-base-uncased-finetuned-sst-2-english")
///     let sentiment = try await classifier.sentiment(of: "A joy from start to finish.")
///     print(sentiment.polarity, sentiment.score)
///
/// A classifier may be used from any number of tasks at once.
public struct SentimentClassifier: Sendable {
  private let classifier: TextClassifier

  /// - Parameters:
  ///   - model: a folder with a BERT, DistilBERT or RoBERTa that tells negative from positive texts, or the name
  ///     of a repository in the local Hugging Face cache. Nothing is downloaded.
  ///   - options: how the classifier is set up.
  /// - Throws: ``ApusError``: what `TextClassifier` throws, and `unsupportedModel` when
  ///   the classes are not those of sentiment.
  public init(model: String, options: TextOptions = TextOptions()) throws(ApusError) {
    classifier = try TextClassifier(model: model, options: options)
    let unknown = classifier.labels.filter { Sentiment.Polarity(label: $0) == nil }
    guard unknown.isEmpty else {
      throw ApusError(
        .unsupportedModel, "classes named \(unknown.joined(separator: ", "))",
        expected: "names that say negative, neutral or positive", file: classifier.path,
        advice: "TextClassifier takes models of any classes.")
    }
  }

  /// The sentiment of a text.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func sentiment(of text: String) async throws(ApusError) -> Sentiment {
    try await sentiments(of: [text])[0]
  }

  /// The sentiments of several texts, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func sentiments(of texts: [String]) async throws(ApusError) -> [Sentiment] {
    try await classifier.classify(texts).compactMap(Sentiment.init)
  }
}

import Apus
import Networks

/// Positive, negative or neutral: judges texts with the model that comes with the package, and with a list of words
/// where that cannot be opened.
///
///     let kit = SentimentClassifierKit()
///     let output = try await kit.analyze(text: "I love this app!")
///     print(output.sentiment, output.confidence)
public final class SentimentClassifierKit: Sendable {
  /// What texts are judged with.
  public enum Method: Sendable {
    /// A model.
    case model(SentimentClassifier)
    /// Words that speak for or against, because the model was refused.
    case words(ApusError)
  }

  /// What texts are judged with.
  public let method: Method

  /// Opens the package's model; where it is not there, or cannot be used, words must do.
  public init() {
    do throws(ApusError) {
      method = .model(
        try SentimentClassifier(PackageResources.folder("Apus_SentimentClassifierKit", beside: #dsohandle)))
    } catch {
      method = .words(error)
    }
  }

  /// Opens a model of the caller's own.
  /// - Throws: ``ApusError``: what ``SentimentClassifier`` throws.
  public init(model: String, options: SentimentClassifier.Options = .init()) throws(ApusError) {
    method = .model(try SentimentClassifier(model, options: options))
  }

  /// Which files beside the model were passed over though they have names that are read, and why; none where words must do.
  public var notes: [String] {
    switch method {
    case .model(let classifier): classifier.notes
    case .words: []
    }
  }

  /// Without a model.
  package init(refused error: ApusError) { method = .words(error) }

  /// What words alone make of a text: the probability that it is positive.
  package static func positive(_ text: String) -> Double { Lexicon.standard.positive(text) }

  /// The sentiment of a text.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func analyze(text: String) async throws(ApusError) -> SentimentOutput {
    switch method {
    case .model(let classifier): return SentimentOutput(try await classifier.classify(text))
    case .words:
      guard !text.allSatisfy(\.isWhitespace) else {
        throw ApusError(.argument, "the text is empty", expected: "words")
      }
      return SentimentOutput(positive: Self.positive(text))
    }
  }
}

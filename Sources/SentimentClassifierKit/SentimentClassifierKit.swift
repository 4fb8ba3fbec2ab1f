import Apus
import Networks

/// Positive, negative or neutral: judges texts with the model that comes with the package, and with a list of words
/// where that cannot be opened.
///
///     let kit = try await SentimentClassifierKit.load()
///     let output = try await kit.analyze(text: "I love this app!")
///     print(output.sentiment, output.confidence)
public final class SentimentClassifierKit: Sendable {
  /// The classifier in use.
  public enum Method: Sendable {
    /// A model.
    case model(SentimentClassifier)
    /// Words that speak for or against, because the model was refused.
    case words(ApusError)
  }

  /// The classifier in use.
  public let method: Method

  /// Opens the package's model; where it is not there, or cannot be used, words must do.
  public init() {
    do throws(ApusError) {
      method = .model(try SentimentClassifier(Self.ownModel()))
    } catch {
      method = .words(error)
    }
  }

  /// Opens a model of the caller's own.
  /// - Throws: ``ApusError``: what ``SentimentClassifier`` throws.
  public init(model: String, options: SentimentClassifier.Options = .init()) throws(ApusError) {
    method = .model(try SentimentClassifier(model, options: options))
  }

  /// Opens the package's model without blocking a thread of the caller's executor; where it is not there, or cannot be used,
  /// words must do.
  /// - Parameter progress: told of every stage as it begins, on a thread of its own, and at the end.
  /// - Throws: ``ApusError`` of kind `cancelled`, and no other.
  public static func load(
    progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> SentimentClassifierKit {
    do throws(ApusError) {
      return try await load(model: ownModel(), progress: progress)
    } catch {
      guard error.kind != .cancelled else { throw error }
      return SentimentClassifierKit(refused: error)
    }
  }

  /// A kit with the caller's own model.
  /// - Throws: ``ApusError``: what ``SentimentClassifier`` throws, and `cancelled`.
  public static func load(
    model: String, options: SentimentClassifier.Options = .init(),
    progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> SentimentClassifierKit {
    SentimentClassifierKit(try await SentimentClassifier.load(model, options: options, progress: progress))
  }

  private init(_ classifier: SentimentClassifier) { method = .model(classifier) }

  private static func ownModel() throws(ApusError) -> String {
    try PackageResources.folder("Apus_SentimentClassifierKit", beside: #dsohandle)
  }

  /// Notes for people on ignored files beside the model; empty for the list of words.
  public var notes: [String] {
    switch method {
    case .model(let classifier): classifier.notes
    case .words: []
    }
  }

  /// Without a model.
  package init(refused error: ApusError) { method = .words(error) }

  /// The probability that a text is positive, by its words alone.
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

import Apus

/// The tokens of the texts of a request, made before they wait.
struct EncodedTexts: Sendable {
  /// A text.
  struct Item: Sendable {
    /// Its tokens, or why it has none.
    let encoding: Result<Encoding, ServingError>
    /// How long making them took; zero for those that the client made.
    let time: Duration

    /// - Parameter truncates: whether a text that is longer than the model takes is cut; else it fails.
    init(
      _ text: TextInput, truncates: Bool, _ encode: (TextInput) throws(ApusError) -> Encoding
    ) {
      let begin = ContinuousClock.now
      encoding = Self.encoding(of: text, truncates, encode)
      if case .tokens = text { time = .zero } else { time = ContinuousClock.now - begin }
    }

    private static func encoding(
      of text: TextInput, _ truncates: Bool, _ encode: (TextInput) throws(ApusError) -> Encoding
    ) -> Result<Encoding, ServingError> {
      do throws(ApusError) {
        let encoding = try encode(text)
        guard truncates || !encoding.wasTruncated else {
          let error = "The text is longer than the \(encoding.ids.count) tokens that the model takes."
          return .failure(ServingError(.tooLarge, error))
        }
        return .success(encoding)
      } catch {
        return .failure(ServingError(error))
      }
    }
  }

  /// In the order of the texts.
  let items: [Item]
  /// How long it took until all had their tokens, waiting for a thread included.
  let time: Duration

  /// - Parameters:
  ///   - truncates: whether a text that is longer than the model takes is cut; else it fails.
  ///   - encode: makes the tokens of a text.
  init(
    _ texts: [TextInput], truncates: Bool,
    _ encode: @escaping @Sendable (TextInput) throws(ApusError) -> Encoding
  ) async {
    let begin = ContinuousClock.now
    items = await WorkerThreads.read(bytes: texts.reduce(0) { $0 + $1.byteCount }) {
      texts.map { Item($0, truncates: truncates, encode) }
    }
    time = ContinuousClock.now - begin
  }
}

extension TextClassification {
  /// The same with the time that its tokens took, which were made before it waited.
  func tokenized(in time: Duration) -> TextClassification {
    var result = self
    result.milliseconds.tokenize = time / .milliseconds(1)
    return result
  }
}

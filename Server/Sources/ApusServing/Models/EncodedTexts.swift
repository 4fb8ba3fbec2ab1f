import Apus

/// The tokens of the texts of a request, made before they wait.
struct EncodedTexts: Sendable {
  /// A text.
  struct Item: Sendable {
    /// Its tokens, or why it has none.
    let encoding: Result<Encoding, ServingError>
    /// Whether it was longer than the model takes, and was cut.
    let wasTruncated: Bool
    /// How long making them took; zero for those that the client made.
    let time: Duration

    init(_ text: TextInput, _ cut: Cut, _ encode: (TextInput) throws(ApusError) -> Encoding) {
      let begin = ContinuousClock.now
      let short = text.shortened(to: cut.length, cutting: cut.side)
      encoding =
        Self.refusal(of: text, encode).map(Result.failure)
        ?? Self.encoding(of: short ?? text, isCut: short != nil, cut, encode)
      let isCutByTokenizer = (try? encoding.get())?.wasTruncated ?? false
      wasTruncated = short != nil || isCutByTokenizer
      if case .tokens = text { time = .zero } else { time = ContinuousClock.now - begin }
    }

    private static func encoding(
      of text: TextInput, isCut: Bool, _ cut: Cut, _ encode: (TextInput) throws(ApusError) -> Encoding
    ) -> Result<Encoding, ServingError> {
      do throws(ApusError) {
        guard cut.isWanted || !isCut else { return .failure(tooLong(cut.length)) }
        let encoding = try encode(text)
        guard cut.isWanted || !encoding.wasTruncated else { return .failure(tooLong(encoding.ids.count)) }
        return .success(encoding)
      } catch {
        return .failure(ServingError(error))
      }
    }

    /// Why tokens that a client made are none of the model's, however many there are; nil where they can be.
    private static func refusal(
      of text: TextInput, _ encode: (TextInput) throws(ApusError) -> Encoding
    ) -> ServingError? {
      guard case .tokens(let ids) = text, let largest = ids.max() else { return nil }
      do throws(ApusError) {
        _ = try encode(.tokens([largest]))
        return nil
      } catch {
        let reason = ServingError(error)
        guard reason.kind == .invalid else { return reason }
        return ServingError(
          .invalid,
          reason.message + " Token ids have to be of the model's own tokenizer: send texts. "
            + "LangChain's OpenAIEmbeddings sends ids of another one unless it has check_embedding_ctx_length=False."
        )
      }
    }

    private static func tooLong(_ length: Int) -> ServingError {
      ServingError(.tooLarge, "The text is longer than the \(length) tokens that the model takes.")
    }
  }

  /// What becomes of a text that is longer than the model takes.
  struct Cut: Sendable {
    /// Whether it is cut; else it fails.
    let isWanted: Bool
    /// The tokens that the model takes, special ones included.
    let length: Int
    /// The end that is cut off; nil for the one that the model's files name, and of tokens that the client made for the last.
    let side: TextSide?
  }

  /// In the order of the texts.
  let items: [Item]
  /// How long it took until all had their tokens, waiting for a thread included.
  let time: Duration

  /// - Parameter encode: makes the tokens of a text.
  init(
    _ texts: [TextInput], _ cut: Cut, _ encode: @escaping @Sendable (TextInput) throws(ApusError) -> Encoding
  ) async {
    let begin = ContinuousClock.now
    items = await WorkerThreads.read(bytes: texts.reduce(0) { $0 + $1.byteCount }) {
      texts.map { Item($0, cut, encode) }
    }
    time = ContinuousClock.now - begin
  }
}

extension TextClassification {
  /// The same with the time that its tokens took, which were made before it waited.
  func tokenized(in time: Duration) -> TextClassification {
    var result = self
    result.times.tokenize = time
    return result
  }
}

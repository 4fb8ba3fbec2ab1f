import Apus
import ApusService

extension ServedModel {
  /// The vectors of texts.
  /// - Parameters:
  ///   - truncates: whether a text that is longer than the model takes is cut; else it fails.
  ///   - side: the end that is cut off; nil for the one that the model's files name.
  ///   - limit: the tokens that the client has a text take at most; nil for what the model takes.
  ///   - length: what is done with the length of vectors.
  ///   - dimensions: the numbers of each vector that the client wants at most; nil for all.
  ///   - masksPadding: whether padding is masked; nil for as the server was started.
  /// - Returns: one result for each text.
  /// - Throws: ``ServingError`` for the request as a whole: `invalid` for a text over the client's own limit, and for more
  ///   dimensions than the vectors have.
  public func embed(
    _ texts: [TextInput], truncates: Bool, cutting side: TextSide? = nil, limit: TokenLimit? = nil,
    length: EmbeddingLength = .model, dimensions: Int? = nil, masksPadding: Bool? = nil
  ) async throws(ServingError) -> [Result<TextEmbedding, ServingError>] {
    try require(.textEmbedding)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<TextEmbedding> in
      try await textOutcomes(
        texts, truncates: truncates, cutting: side, limit: limit, length: length, dimensions: dimensions,
        masksPadding: masksPadding)
    }
  }

  /// The same, for a part of a request.
  func textOutcomes(
    _ texts: [TextInput], truncates: Bool, cutting side: TextSide? = nil, limit: TokenLimit? = nil,
    length: EmbeddingLength, dimensions: Int?, masksPadding: Bool? = nil
  ) async throws(ServingError) -> RequestOutcomes<TextEmbedding> {
    try require(count: texts.count)
    try queues.textEmbedding.requireRoom()
    let open = try await access.model(for: forms.textEmbedder), model = open.model
    try Self.require(dimensions, of: model.width)
    try await Self.require(masksPadding, of: model)
    let cut = EncodedTexts.Cut(isWanted: truncates, length: model.maximumTokens, side: side)
    let encoded = await EncodedTexts(texts, cut) { (text) throws(ApusError) in
      try text.encoding(for: model, cutting: side)
    }
    try limit?.check(encoded.items.map(\.encoding))
    let isUnit = length.isUnit(model.normalizes)
    return try await outcomes(
      of: encoded, for: open, masksPadding: masksPadding, in: queues.textEmbedding
    ) { embedding, encoding, text in
      TextEmbedding(
        values: isUnit ? embedding.unit.values : embedding.values, tokenCount: encoding.content.count,
        wasTruncated: text.wasTruncated)
    }
  }

  /// - Throws: ``ServingError`` of kind `invalid` where vectors have fewer numbers than are wanted.
  static func require(_ dimensions: Int?, of width: Int) throws(ServingError) {
    guard let dimensions, dimensions > width else { return }
    throw ServingError(
      .invalid, "\(dimensions) dimensions are asked for; the model's vectors have \(width).")
  }

  /// - Throws: ``ServingError`` of kind `invalid` where padding is to be masked, and the model has no such choice.
  static func require(_ masksPadding: Bool?, of model: TextEmbedder) async throws(ServingError) {
    guard masksPadding == true else { return }
    do throws(ApusError) {
      // It runs nothing of no texts.
      _ = try await model.embed(encodings: [], masksPadding: true)
    } catch {
      throw ServingError(error)
    }
  }

  /// The scores of texts' classes, or of pairs', the highest first.
  /// - Parameters:
  ///   - topK: the classes wanted, at least 1; nil for all.
  ///   - truncates: whether a text that is longer than the model takes is cut; else it fails.
  ///   - side: the end that is cut off; nil for the one that the model's files name.
  /// - Returns: one result for each text: an empty one fails alone.
  /// - Throws: ``ServingError`` for the request as a whole.
  public func classify(
    _ texts: [TextInput], topK: Int?, truncates: Bool, cutting side: TextSide? = nil
  ) async throws(ServingError) -> [Result<TextClassification, ServingError>] {
    try require(.textClassification)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<TextClassification> in
      try require(count: texts.count)
      try require(topK: topK)
      try queues.textClassification.requireRoom()
      let open = try await access.model(for: forms.textClassifier)
      return try await outcomes(of: texts, by: open, truncates, cutting: side) { result, _ in
        result.best(topK)
      }
    }
  }

  /// The scores of all classes for texts, which the model reads that is open.
  /// - Parameter make: what a text has for its result, of its scores and its tokens.
  func outcomes<Made>(
    of texts: [TextInput], by open: OpenModel<TextClassifier>, _ truncates: Bool, cutting side: TextSide?,
    _ make: (TextClassification, Encoding) -> Made
  ) async throws(ServingError) -> RequestOutcomes<Made> {
    let model = open.model
    let cut = EncodedTexts.Cut(isWanted: truncates, length: model.maximumTokens, side: side)
    let encoded = await EncodedTexts(texts, cut) { (text) throws(ApusError) in
      try text.encoding(for: model, cutting: side)
    }
    return try await outcomes(
      of: encoded, for: open, in: queues.textClassification
    ) { result, encoding, text in
      make(result.tokenized(in: text.time), encoding)
    }
  }

  func opened<Model>(_ form: ServiceModel<Model>) async throws(ServingError) -> Model {
    try await access.model(for: form).model
  }

  /// Texts cost their tokens. One that cannot be read fails before it waits.
  /// - Parameters:
  ///   - open: the model that the tokens are of.
  ///   - make: what a text has for its result, of the model's output, its tokens, and how these were made.
  private func outcomes<Model, Output, Made>(
    of texts: EncodedTexts, for open: OpenModel<Model>, masksPadding: Bool? = nil,
    in queue: ModelQueues.Queue<Model, TokenizedText, Output>,
    _ make: (Output, Encoding, EncodedTexts.Item) -> Made
  ) async throws(ServingError) -> RequestOutcomes<Made> {
    let items = texts.items.compactMap { text -> (input: TokenizedText, cost: Int)? in
      guard let encoding = try? text.encoding.get() else { return nil }
      let item = TokenizedText(encoding: encoding, time: text.time, masksPadding: masksPadding)
      return (input: item, cost: encoding.ids.count)
    }
    let found = try await outcomes(of: items, for: open, in: queue)
    var rest = found.items[...]
    let missing = ServingError(.failed, "A result is missing.")
    let made = texts.items.map { text in
      text.encoding.flatMap { encoding in
        (rest.popFirst() ?? .failure(missing)).map { make($0, encoding, text) }
      }
    }
    return RequestOutcomes(items: made, time: texts.time + found.time)
  }
}

extension EmbeddingLength {
  /// Whether vectors are brought to length 1.
  func isUnit(_ normalizes: Bool) -> Bool {
    switch self {
    case .model: normalizes
    case .unit: true
    case .raw: false
    }
  }
}

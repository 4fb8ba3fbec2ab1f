import TensorCore

extension TextEmbedder {
  /// Embeds a text.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String) async throws(ApusError) -> Embedding { try await embed([text])[0] }

  /// Embeds several texts together, which is faster than one by one.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String]) async throws(ApusError) -> [Embedding] {
    try await inference.inBackground(texts)
  }

  /// The embeddings of many texts, in their order, several being worked on at a time, each by itself.
  /// - Parameters:
  ///   - texts: taken from their sequence as they are needed.
  ///   - width: how many texts are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func embeddings<Texts: Sequence<String>>(
    of texts: Texts, width: Int? = nil
  ) -> InferenceBatch<Texts, Embedding> {
    inference.single().batch(of: texts, width: width)
  }

  /// The embeddings of texts that come by and by, in their order.
  public func embeddings<Texts: AsyncSequence & Sendable>(
    of texts: Texts, width: Int? = nil
  ) -> InferenceStream<Texts, Embedding> where Texts.Element == String {
    inference.single().stream(of: texts, width: width)
  }
}

extension Blocking<TextEmbedder> {
  /// Embeds a text.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String) throws(ApusError) -> Embedding { try embed([text])[0] }

  /// Embeds several texts together, which is faster than one by one.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String]) throws(ApusError) -> [Embedding] { try model.inference.now(texts) }
}

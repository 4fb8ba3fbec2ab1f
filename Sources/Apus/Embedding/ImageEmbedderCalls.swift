import TensorCore

extension ImageEmbedder {
  /// Embeds a picture.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) async throws(ApusError) -> Embedding {
    try await inference.inBackground(picture)
  }

  /// Embeds pictures, several at a time; the results are in the order of the pictures.
  /// - Throws: the ``ApusError`` of the first picture that fails; an ``InferenceBatch`` goes on.
  public func embed(_ pictures: [Picture]) async throws(ApusError) -> [Embedding] {
    try await inference.all(pictures)
  }

  /// The embeddings of many pictures, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func embeddings<Pictures: Sequence<Picture>>(
    of pictures: Pictures, width: Int? = nil
  ) -> InferenceBatch<Pictures, Embedding> {
    inference.batch(of: pictures, width: width)
  }

  /// The embeddings of pictures that come by and by, in their order.
  public func embeddings<Pictures: AsyncSequence & Sendable>(
    of pictures: Pictures, width: Int? = nil
  ) -> InferenceStream<Pictures, Embedding> where Pictures.Element == Picture {
    inference.stream(of: pictures, width: width)
  }
}

extension Blocking<ImageEmbedder> {
  /// Embeds a picture.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  public func embed(_ picture: Picture) throws(ApusError) -> Embedding {
    try model.inference.now(picture, until: isCancelled)
  }

  /// Embeds pictures, one after the other.
  /// - Throws: the ``ApusError`` of the first picture that fails.
  public func embed(_ pictures: [Picture]) throws(ApusError) -> [Embedding] {
    try model.inference.now(pictures, until: isCancelled)
  }
}

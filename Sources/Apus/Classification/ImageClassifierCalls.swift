import TensorCore

extension ImageClassifier {
  /// Classifies a picture.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - topK: the predictions wanted, at least 1; nil for all classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(_ picture: Picture, topK: Int? = 3) async throws(ApusError) -> Classification {
    try await inference(topK).inBackground(picture)
  }

  /// Classifies pictures, several at a time; the results are in the order of the pictures.
  /// - Throws: the ``ApusError`` of the first picture that fails; an ``InferenceBatch`` goes on.
  public func classify(_ pictures: [Picture], topK: Int? = 3) async throws(ApusError) -> [Classification] {
    try await inference(topK).all(pictures)
  }

  /// The results for many pictures, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - topK: the predictions wanted for each picture; nil for all classes.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func classifications<Pictures: Sequence<Picture>>(
    of pictures: Pictures, topK: Int? = 3, width: Int? = nil
  ) -> InferenceBatch<Pictures, Classification> {
    inference(topK).batch(of: pictures, width: width)
  }

  /// The results for pictures that come by and by, in their order.
  public func classifications<Pictures: AsyncSequence & Sendable>(
    of pictures: Pictures, topK: Int? = 3, width: Int? = nil
  ) -> InferenceStream<Pictures, Classification> where Pictures.Element == Picture {
    inference(topK).stream(of: pictures, width: width)
  }
}

extension Blocking<ImageClassifier> {
  /// Classifies a picture.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - topK: the predictions wanted, at least 1; nil for all classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(_ picture: Picture, topK: Int? = 3) throws(ApusError) -> Classification {
    try model.inference(topK).now(picture, until: isCancelled)
  }

  /// Classifies pictures, one after the other.
  /// - Throws: the ``ApusError`` of the first picture that fails.
  public func classify(_ pictures: [Picture], topK: Int? = 3) throws(ApusError) -> [Classification] {
    try model.inference(topK).now(pictures, until: isCancelled)
  }
}

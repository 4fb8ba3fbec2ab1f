import TensorCore

extension ImageClassifier {
  /// Classifies a picture without blocking a thread of the caller's executor. Cancelling the task stops the
  /// work before the next node of the model.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - topK: the predictions wanted, at least 1; there are never more than classes.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for `topK`, `cancelled`.
  public func classify(_ picture: Picture, topK: Int = 3) async throws(ApusError) -> Classification {
    try await inference(topK).inBackground(picture)
  }

  /// The results for many pictures, in their order, several being worked on at a time.
  ///
  ///     for await item in classifier.classifications(of: paths.map(Picture.file)) { … }
  ///
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - topK: the predictions wanted for each picture.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func classifications<Pictures: Sequence<Picture>>(
    of pictures: Pictures, topK: Int = 3, width: Int? = nil
  ) -> InferenceBatch<Pictures, Classification> {
    inference(topK).batch(of: pictures, width: width)
  }
}

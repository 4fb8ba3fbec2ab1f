import TensorCore

extension ZeroShotClassifier {
  /// Scores a picture without blocking a thread of the caller's executor. Cancelling the task stops the work
  /// before the next node of the model.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for the labels, `cancelled`.
  public func classify(
    _ picture: Picture, labels: [String]
  ) async throws(ApusError) -> ZeroShotClassification {
    try await inference(labels).inBackground(picture)
  }

  /// The results for many pictures, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - labels: what each picture is scored against.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func classifications<Pictures: Sequence<Picture>>(
    of pictures: Pictures, labels: [String], width: Int? = nil
  ) -> InferenceBatch<Pictures, ZeroShotClassification> {
    inference(labels).batch(of: pictures, width: width)
  }
}

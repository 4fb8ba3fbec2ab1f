import TensorCore

extension TextClassifier {
  /// Classifies a text without blocking a thread of the caller's executor. Cancelling the task stops the work
  /// before the next node of the model.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ text: String) async throws(ApusError) -> TextClassification {
    try await classify([text])[0]
  }

  /// Classifies several texts together without blocking a thread of the caller's executor.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words, `cancelled`.
  public func classify(_ texts: [String]) async throws(ApusError) -> [TextClassification] {
    try await inference.inBackground(texts)
  }
}

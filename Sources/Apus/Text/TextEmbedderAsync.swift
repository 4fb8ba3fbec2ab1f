import TensorCore

extension TextEmbedder {
  /// Embeds a text without blocking a thread of the caller's executor. Cancelling the task stops the work
  /// before the next node of the model.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String) async throws(ApusError) -> Embedding { try await embed([text])[0] }

  /// Embeds several texts together without blocking a thread of the caller's executor.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String]) async throws(ApusError) -> [Embedding] {
    try await inference.inBackground(texts)
  }
}

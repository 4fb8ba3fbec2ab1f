import Apus

extension ServedModel {
  /// The tokens of texts, whatever their lengths.
  /// - Throws: ``ServingError``: `unsupported` for a model without a tokenizer, `unavailable` when it was taken out.
  public func encode(
    _ texts: [String], addsSpecialTokens: Bool
  ) async throws(ServingError) -> [Encoding] {
    try require(count: texts.count)
    let tokenizer = try await opened()
    return await WorkerThreads.run { _ in
      texts.map { tokenizer.encode($0, addingSpecialTokens: addsSpecialTokens, findingOffsets: true) }
    }
  }

  /// The texts of tokens.
  /// - Throws: ``ServingError``: `unsupported` for a model without a tokenizer, `unavailable` when it was taken out.
  public func decode(
    _ ids: [[Int32]], skipsSpecialTokens: Bool
  ) async throws(ServingError) -> [String] {
    try require(count: ids.count)
    let tokenizer = try await opened()
    return await WorkerThreads.run { _ in
      ids.map { tokenizer.decode($0, skippingSpecialTokens: skipsSpecialTokens) }
    }
  }

  private func opened() async throws(ServingError) -> Tokenizer {
    try access.require()
    guard !tasks.isDisjoint(with: [.textClassification, .textEmbedding, .zeroShot]) else {
      throw ServingError(.unsupported, "Model '\(name)' has no tokenizer.")
    }
    let path = textPath
    return try await tokenizer.value { () async throws(ServingError) -> Tokenizer in
      do throws(ApusError) {
        return try await WorkerThreads.run { (_) throws(ApusError) in try Tokenizer(path) }
      } catch {
        throw ServingError(error)
      }
    }
  }
}

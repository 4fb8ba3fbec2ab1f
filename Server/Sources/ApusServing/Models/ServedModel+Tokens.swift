import Apus

extension ServedModel {
  /// Bytes of a text that wait as one token does: most tokens have fewer.
  private static let bytesOfToken = 8

  /// The tokens of texts, also of those that are longer than the model takes. They wait as other texts do, within the same
  /// limits of what waits and of time.
  /// - Throws: ``ServingError``: `unsupported` for a model without a tokenizer, `unavailable` when it was taken out;
  ///   `tooLarge`, `overloaded`, `deadline`, `cancelled`.
  public func encode(
    _ texts: [String], addsSpecialTokens: Bool
  ) async throws(ServingError) -> [Encoding] {
    try require(count: texts.count)
    try queues.encoding.requireRoom()
    let tokenizer = try await opened()
    let items = texts.map { text in
      let work: ModelQueues.TokenWork<Encoding> = {
        tokenizer.encode(text, addingSpecialTokens: addsSpecialTokens, findingOffsets: true)
      }
      return (input: work, cost: text.utf8.count / Self.bytesOfToken + 1)
    }
    return try await outcomes(of: items, in: queues.encoding).items.all()
  }

  /// The texts of tokens, which wait as those of texts do.
  /// - Throws: ``ServingError``: as ``encode(_:addsSpecialTokens:)``.
  public func decode(
    _ ids: [[Int32]], skipsSpecialTokens: Bool
  ) async throws(ServingError) -> [String] {
    try require(count: ids.count)
    try queues.decoding.requireRoom()
    let tokenizer = try await opened()
    let items = ids.map { ids in
      let work: ModelQueues.TokenWork<String> = {
        tokenizer.decode(ids, skippingSpecialTokens: skipsSpecialTokens)
      }
      return (input: work, cost: ids.count)
    }
    return try await outcomes(of: items, in: queues.decoding).items.all()
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

import Apus

extension ServedModel {
  /// Whether it tells how well a text answers a query. It is opened for that.
  public func isReranker() async throws(ServingError) -> Bool {
    guard tasks.contains(.textClassification) else { return false }
    return Self.ranks(try await opened(forms.textClassifier))
  }

  private static func ranks(_ model: TextClassifier) -> Bool { model.takesPairs && model.labels.count == 1 }

  /// How well texts answer a query.
  /// - Parameters:
  ///   - truncates: whether a pair that is longer than the model takes is cut; else it fails.
  ///   - side: the end that is cut off; nil for the one that the model's files name.
  /// - Returns: one result for each text.
  /// - Throws: ``ServingError`` for the request as a whole: `unsupported` for a model that is no re-ranker.
  public func relevance(
    of texts: [String], to query: String, truncates: Bool, cutting side: TextSide? = nil
  ) async throws(ServingError) -> [Result<TextRelevance, ServingError>] {
    try require(.textClassification)
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<TextRelevance> in
      try require(count: texts.count)
      try queues.textClassification.requireRoom()
      let open = try await access.model(for: forms.textClassifier)
      try requireReranker(open.model)
      let pairs = texts.map { TextInput.pair(TextPair(query, $0)) }
      let found = try await outcomes(of: pairs, by: open, truncates, cutting: side) { result, encoding in
        result.outputs.first.map { TextRelevance(logit: $0, tokenCount: encoding.content.count) }
      }
      let missing = ServingError(.failed, "A result is missing.")
      return RequestOutcomes(
        items: found.items.map { $0.flatMap { $0.map(Result.success) ?? .failure(missing) } },
        time: found.time)
    }
  }

  private func requireReranker(_ model: TextClassifier) throws(ServingError) {
    guard !Self.ranks(model) else { return }
    let reason = model.takesPairs ? "it has \(model.labels.count) classes" : "it takes no pairs of texts"
    throw ServingError(.unsupported, "Model '\(name)' is not a re-ranker model: \(reason).")
  }
}

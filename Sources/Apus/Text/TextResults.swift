import Networks
import TensorCore
import Text

extension TextClassifier {
  /// The result of each of several texts, which run together: a failing text does not stop the others.
  /// - Throws: ``ApusError``: kind `argument` for `topK`, `cancelled`, `resources`.
  package func results(
    for texts: [String], topK: Int? = nil
  ) async throws(ApusError) -> [Result<TextClassification, ApusError>] {
    try await eachInference(topK).inBackground(texts)
  }

  /// The results of pairs.
  /// - Throws: ``ApusError``: kind `argument` for `topK`, `unsupportedModel` for a model that takes no pairs, `cancelled`,
  ///   `resources`.
  package func results(
    for pairs: [TextPair], topK: Int? = nil
  ) async throws(ApusError) -> [Result<TextClassification, ApusError>] {
    try texts.checkPairs()
    return try await eachPairInference(topK).inBackground(pairs)
  }
}

extension TextEmbedder {
  /// The result of each of several texts, which run together: a failing text does not stop the others.
  /// - Throws: ``ApusError`` of kind `argument` for the prompt, `cancelled` or `resources`.
  package func results(
    for texts: [String], prompt: String? = nil
  ) async throws(ApusError) -> [Result<Embedding, ApusError>] {
    try await eachInference(prompt).inBackground(texts)
  }
}

extension Blocking<TextClassifier> {
  /// The result of each of several texts, which run together: a failing text does not stop the others.
  /// - Throws: ``ApusError``: kind `argument` for `topK`, `cancelled`, `resources`.
  public func results(
    for texts: [String], topK: Int? = nil
  ) throws(ApusError) -> [Result<TextClassification, ApusError>] {
    try model.eachInference(topK).now(texts, until: isCancelled)
  }

  /// The results of pairs.
  /// - Throws: ``ApusError``: kind `argument` for `topK`, `unsupportedModel` for a model that takes no pairs, `cancelled`,
  ///   `resources`.
  public func results(
    for pairs: [TextPair], topK: Int? = nil
  ) throws(ApusError) -> [Result<TextClassification, ApusError>] {
    try model.texts.checkPairs()
    return try model.eachPairInference(topK).now(pairs, until: isCancelled)
  }
}

extension Blocking<TextEmbedder> {
  /// The result of each of several texts, which run together: a failing text does not stop the others.
  /// - Throws: ``ApusError`` of kind `argument` for the prompt, `cancelled` or `resources`.
  public func results(
    for texts: [String], prompt: String? = nil
  ) throws(ApusError) -> [Result<Embedding, ApusError>] {
    try model.eachInference(prompt).now(texts, until: isCancelled)
  }
}

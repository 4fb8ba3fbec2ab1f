import TensorCore
import Text

extension TextClassifier {
  /// Classifies a pair of texts.
  /// - Parameters:
  ///   - pair: what is read together.
  ///   - topK: the predictions wanted, at least 1; nil for all classes.
  /// - Throws: ``ApusError``: kind `argument` for a pair without any words or for `topK`, `unsupportedModel` or
  ///   `configuration` for a model that takes no pairs or does not say how, `cancelled`.
  public func classify(_ pair: TextPair, topK: Int? = nil) async throws(ApusError) -> TextClassification {
    try await classify([pair], topK: topK)[0]
  }

  /// Classifies several pairs together, which is faster than one by one.
  /// - Throws: ``ApusError``, as for one pair.
  public func classify(_ pairs: [TextPair], topK: Int? = nil) async throws(ApusError) -> [TextClassification]
  {
    try await pairInference(topK).inBackground(pairs)
  }

  /// The tokens of a pair as the model takes them: special ones included, cut to its limit, the longer text first.
  /// - Parameters:
  ///   - pair: what is read together.
  ///   - side: the end that is cut off a text where the pair is over the limit; nil for the one that the tokenizer's
  ///     files name.
  /// - Throws: ``ApusError``: kind `argument` for a pair without any words, `unsupportedModel` or `configuration` for a
  ///   model that takes no pairs or does not say how.
  public func encode(_ pair: TextPair, cutting side: TextSide? = nil) throws(ApusError) -> Encoding {
    try texts.encode(pair, cutting: side)
  }

  /// The results for many pairs, in their order, several being worked on at a time, each by itself.
  /// - Parameters:
  ///   - pairs: taken from their sequence as they are needed.
  ///   - topK: the predictions wanted for each pair; nil for all classes.
  ///   - width: how many pairs are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func classifications<Pairs: Sequence<TextPair>>(
    of pairs: Pairs, topK: Int? = nil, width: Int? = nil
  ) -> InferenceBatch<Pairs, TextClassification> {
    pairInference(topK).single().batch(of: pairs, width: width)
  }

  /// The results for pairs that come by and by, in their order.
  public func classifications<Pairs: AsyncSequence & Sendable>(
    of pairs: Pairs, topK: Int? = nil, width: Int? = nil
  ) -> InferenceStream<Pairs, TextClassification> where Pairs.Element == TextPair {
    pairInference(topK).single().stream(of: pairs, width: width)
  }
}

extension Blocking<TextClassifier> {
  /// Classifies a pair of texts.
  /// - Throws: ``ApusError``: kind `argument` for a pair without any words or for `topK`, `unsupportedModel` or
  ///   `configuration` for a model that takes no pairs or does not say how, `cancelled`.
  public func classify(_ pair: TextPair, topK: Int? = nil) throws(ApusError) -> TextClassification {
    try classify([pair], topK: topK)[0]
  }

  /// Classifies several pairs together, which is faster than one by one.
  /// - Throws: ``ApusError``, as for one pair.
  public func classify(_ pairs: [TextPair], topK: Int? = nil) throws(ApusError) -> [TextClassification] {
    try model.pairInference(topK).now(pairs, until: isCancelled)
  }
}

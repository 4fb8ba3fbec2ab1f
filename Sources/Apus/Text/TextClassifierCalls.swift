import TensorCore
import Text

extension TextClassifier {
  /// Classifies a text.
  /// - Parameters:
  ///   - text: what is read.
  ///   - topK: the predictions wanted, at least 1; nil for all classes.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words or for `topK`, `cancelled`.
  public func classify(_ text: String, topK: Int? = nil) async throws(ApusError) -> TextClassification {
    try await classify([text], topK: topK)[0]
  }

  /// Classifies several texts together, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words or for `topK`, `cancelled`.
  public func classify(_ texts: [String], topK: Int? = nil) async throws(ApusError) -> [TextClassification] {
    try await inference(topK).inBackground(texts)
  }

  /// The tokens of a text as the model takes them: special ones included, cut to its limit.
  /// - Parameters:
  ///   - text: what is read.
  ///   - side: the end that is cut off a text over the limit; nil for the one that the tokenizer's files name.
  /// - Throws: ``ApusError`` of kind `argument` for a text without any words.
  public func encode(_ text: String, cutting side: TextSide? = nil) throws(ApusError) -> Encoding {
    try texts.encode(words: text, cutting: side)
  }

  /// An encoding from the caller's own tokens, special ones included.
  /// - Throws: ``ApusError`` of kind `argument` when there are none, or more than the model takes.
  public func encode(tokens: [Int32]) throws(ApusError) -> Encoding { try texts.encode(tokens: tokens) }

  /// Classifies texts or pairs together that were encoded for this model.
  /// - Throws: ``ApusError``: kind `argument` for a token that the model's vocabulary lacks or for `topK`; `cancelled`.
  public func classify(
    encodings: [Encoding], topK: Int? = nil
  ) async throws(ApusError) -> [TextClassification] {
    try await encodingInference(topK).inBackground(encodings)
  }

  /// The results for many texts, in their order, several being worked on at a time, each by itself.
  /// - Parameters:
  ///   - texts: taken from their sequence as they are needed.
  ///   - topK: the predictions wanted for each text; nil for all classes.
  ///   - width: how many texts are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func classifications<Texts: Sequence<String>>(
    of texts: Texts, topK: Int? = nil, width: Int? = nil
  ) -> InferenceBatch<Texts, TextClassification> {
    inference(topK).single().batch(of: texts, width: width)
  }

  /// The results for texts that come by and by, in their order.
  public func classifications<Texts: AsyncSequence & Sendable>(
    of texts: Texts, topK: Int? = nil, width: Int? = nil
  ) -> InferenceStream<Texts, TextClassification> where Texts.Element == String {
    inference(topK).single().stream(of: texts, width: width)
  }
}

extension Blocking<TextClassifier> {
  /// Classifies a text.
  /// - Parameters:
  ///   - text: what is read.
  ///   - topK: the predictions wanted, at least 1; nil for all classes.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words or for `topK`, `cancelled`.
  public func classify(_ text: String, topK: Int? = nil) throws(ApusError) -> TextClassification {
    try classify([text], topK: topK)[0]
  }

  /// Classifies several texts together, which is faster than one by one.
  /// - Throws: ``ApusError``: kind `argument` for a text without any words or for `topK`, `cancelled`.
  public func classify(_ texts: [String], topK: Int? = nil) throws(ApusError) -> [TextClassification] {
    try model.inference(topK).now(texts, until: isCancelled)
  }

  /// Classifies texts or pairs together that were encoded for this model.
  /// - Throws: ``ApusError``: kind `argument` for a token that the model's vocabulary lacks or for `topK`; `cancelled`.
  public func classify(encodings: [Encoding], topK: Int? = nil) throws(ApusError) -> [TextClassification] {
    try model.encodingInference(topK).now(encodings, until: isCancelled)
  }
}

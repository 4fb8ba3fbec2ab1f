import TensorCore
import Text

extension TextEmbedder {
  /// Embeds a text.
  /// - Parameters:
  ///   - text: what is read.
  ///   - prompt: the name of one of ``promptNames``, whose text stands before; nil for the one that the model has where none
  ///     is chosen.
  /// - Throws: ``ApusError`` of kind `argument` for the name, `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String, prompt: String? = nil) async throws(ApusError) -> Embedding {
    try await embed([text], prompt: prompt)[0]
  }

  /// Embeds several texts together, which is faster than one by one.
  /// - Parameters:
  ///   - texts: what is read.
  ///   - prompt: the name of one of ``promptNames``, whose text stands before each; nil for the one that the model has where
  ///     none is chosen.
  /// - Throws: ``ApusError`` of kind `argument` for the name, `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String], prompt: String? = nil) async throws(ApusError) -> [Embedding] {
    try await inference(prompt).inBackground(texts)
  }

  /// The tokens of a text as the model takes them: special ones included, cut to its limit.
  /// - Parameters:
  ///   - text: what is read.
  ///   - side: the end that is cut off a text over the limit; nil for the one that the tokenizer's files name.
  public func encode(_ text: String, cutting side: TextSide? = nil) -> Encoding {
    texts.encode(text, cutting: side)
  }

  /// Encodes a text with a prompt before it.
  /// - Parameters:
  ///   - text: what is read.
  ///   - prompt: the name of one of ``promptNames``; nil for the one that the model has where none is chosen.
  ///   - side: the end that is cut off a text over the limit; nil for the one that the tokenizer's files name.
  /// - Throws: ``ApusError`` of kind `argument` for a name that the model does not have, `unsupportedModel` where it would
  ///   have to leave out the tokens of the prompt.
  public func encode(
    _ text: String, prompt: String?, cutting side: TextSide? = nil
  ) throws(ApusError) -> Encoding {
    try texts.prompting(prompt).encode(text, cutting: side)
  }

  /// An encoding from the caller's own tokens, special ones included.
  /// - Throws: ``ApusError`` of kind `argument` when there are none, or more than the model takes.
  public func encode(tokens: [Int32]) throws(ApusError) -> Encoding { try texts.encode(tokens: tokens) }

  /// Embeds texts together that were encoded for this model.
  /// - Parameters:
  ///   - encodings: what the model's tokenizer made of the texts.
  ///   - masksPadding: as ``TextEmbedder/Options/masksPadding``; nil for what the embedder was opened with.
  /// - Throws: ``ApusError`` of kind `argument` for a token that the model's vocabulary lacks, or for the mask,
  ///   `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(
    encodings: [Encoding], masksPadding: Bool? = nil
  ) async throws(ApusError) -> [Embedding] {
    try await encodingInference(masksPadding).inBackground(encodings)
  }

  /// Embeds labels, against which ``LabelEmbeddings/classify(embedding:reading:threshold:topK:)``
  /// scores embeddings of pictures: with the tower for texts of a CLIP or SigLIP whose other tower embeds these. Each is
  /// computed once in the same templates, and kept.
  /// - Parameters:
  ///   - labels: each once.
  ///   - templates: sentences with `{}` where the label goes. With several, a label's embedding is the mean of theirs.
  ///   - masksPadding: as ``TextEmbedder/Options/masksPadding``; nil for what the embedder was opened with.
  /// - Returns: embeddings of length 1, whatever ``TextEmbedder/Options/length`` says.
  /// - Throws: ``ApusError``: kind `argument` for the labels or the templates, `cancelled`, or `malformedModel` when a
  ///   result is not finite.
  public func embed(
    labels: [String], templates: [String] = ["{}"], masksPadding: Bool? = nil
  ) async throws(ApusError) -> LabelEmbeddings {
    try await labelInference(templates, masksPadding).inBackground(labels)
  }

  /// The embeddings of many texts, in their order, several being worked on at a time, each by itself.
  /// - Parameters:
  ///   - texts: taken from their sequence as they are needed.
  ///   - prompt: the name of one of ``promptNames``; nil for the one that the model has where none is chosen.
  ///   - width: how many texts are worked on at a time, at least 1; nil for as many as there are processors for them.
  public func embeddings<Texts: Sequence<String>>(
    of texts: Texts, prompt: String? = nil, width: Int? = nil
  ) -> InferenceBatch<Texts, Embedding> {
    inference(prompt).single().batch(of: texts, width: width)
  }

  /// The embeddings of texts that come by and by, in their order.
  public func embeddings<Texts: AsyncSequence & Sendable>(
    of texts: Texts, prompt: String? = nil, width: Int? = nil
  ) -> InferenceStream<Texts, Embedding> where Texts.Element == String {
    inference(prompt).single().stream(of: texts, width: width)
  }
}

extension Blocking<TextEmbedder> {
  /// Embeds a text.
  /// - Parameters:
  ///   - text: what is read.
  ///   - prompt: the name of one of ``TextEmbedder/promptNames``, whose text stands before; nil for the one that the model
  ///     has where none is chosen.
  /// - Throws: ``ApusError`` of kind `argument` for the name, `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ text: String, prompt: String? = nil) throws(ApusError) -> Embedding {
    try embed([text], prompt: prompt)[0]
  }

  /// Embeds several texts together, which is faster than one by one.
  /// - Parameters:
  ///   - texts: what is read.
  ///   - prompt: the name of one of ``TextEmbedder/promptNames``, whose text stands before each; nil for the one that the
  ///     model has where none is chosen.
  /// - Throws: ``ApusError`` of kind `argument` for the name, `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(_ texts: [String], prompt: String? = nil) throws(ApusError) -> [Embedding] {
    try model.inference(prompt).now(texts, until: isCancelled)
  }

  /// Embeds texts together that were encoded for this model.
  /// - Parameters:
  ///   - encodings: what the model's tokenizer made of the texts.
  ///   - masksPadding: as ``TextEmbedder/Options/masksPadding``; nil for what the embedder was opened with.
  /// - Throws: ``ApusError`` of kind `argument` for a token that the model's vocabulary lacks, or for the mask,
  ///   `cancelled`, or `malformedModel` when a result is not finite.
  public func embed(
    encodings: [Encoding], masksPadding: Bool? = nil
  ) throws(ApusError) -> [Embedding] {
    try model.encodingInference(masksPadding).now(encodings, until: isCancelled)
  }

  /// Embeds labels, against which ``LabelEmbeddings/classify(embedding:reading:threshold:topK:)``
  /// scores embeddings of pictures.
  /// - Parameters:
  ///   - labels: each once.
  ///   - templates: sentences with `{}` where the label goes. With several, a label's embedding is the mean of theirs.
  ///   - masksPadding: as ``TextEmbedder/Options/masksPadding``; nil for what the embedder was opened with.
  /// - Throws: ``ApusError``: kind `argument` for the labels or the templates, `cancelled`, or `malformedModel` when a
  ///   result is not finite.
  public func embed(
    labels: [String], templates: [String] = ["{}"], masksPadding: Bool? = nil
  ) throws(ApusError) -> LabelEmbeddings {
    try model.labelInference(templates, masksPadding).now(labels, until: isCancelled)
  }
}

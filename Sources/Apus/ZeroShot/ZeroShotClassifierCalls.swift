import TensorCore

extension ZeroShotClassifier {
  /// Scores a picture against labels.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - labels: each once; nil for those that the classifier was opened with.
  ///   - topK: the labels wanted, at least 1; nil for all.
  ///   - reading: how cosines become scores, where that is not the classifier's way.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for the labels, `topK` or the reading,
  ///   `cancelled`.
  public func classify(
    _ picture: Picture, labels: [String]? = nil, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ApusError) -> ZeroShotClassification {
    try await inference(.named(labels), topK, reading).inBackground(picture)
  }

  /// Scores a picture against labels that were embedded before.
  public func classify(
    _ picture: Picture, among labels: LabelEmbeddings, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ApusError) -> ZeroShotClassification {
    try await inference(.embedded(labels), topK, reading).inBackground(picture)
  }

  /// Scores the embedding of a picture, which another program may have computed with the same model.
  /// - Throws: ``ApusError`` of kind `argument` for an embedding of another width, the labels, `topK` or the reading;
  ///   `cancelled`.
  public func classify(
    embedding: Embedding, labels: [String]? = nil, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ApusError) -> ZeroShotClassification {
    try await embeddingInference(.named(labels), topK, reading).inBackground(embedding)
  }

  /// Scores the embedding of a picture against labels that were embedded before.
  public func classify(
    embedding: Embedding, among labels: LabelEmbeddings, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) async throws(ApusError) -> ZeroShotClassification {
    try await embeddingInference(.embedded(labels), topK, reading).inBackground(embedding)
  }

  /// Scores pictures, several at a time; the results are in the order of the pictures.
  /// - Throws: the ``ApusError`` of the first picture that fails; an ``InferenceBatch`` goes on.
  public func classify(
    _ pictures: [Picture], labels: [String]? = nil, topK: Int? = nil
  ) async throws(ApusError) -> [ZeroShotClassification] {
    try await inference(.named(labels), topK).all(pictures)
  }

  /// Embeds labels, to be kept or sent to a program that has the model's other tower.
  /// - Parameters:
  ///   - labels: each once.
  ///   - templates: sentences with `{}` where the label goes; nil for those that the classifier was opened with.
  ///   - masksPadding: as ``Options/masksPadding``; nil for what the classifier was opened with.
  /// - Throws: ``ApusError`` of kind `argument` for the labels, the templates or the mask, `cancelled`.
  public func embed(
    labels: [String], templates: [String]? = nil, masksPadding: Bool? = nil
  ) async throws(ApusError) -> LabelEmbeddings {
    try await labelInference(templates, masksPadding).inBackground(labels)
  }

  /// The results for many pictures, in their order, several being worked on at a time.
  /// - Parameters:
  ///   - pictures: taken from their sequence as they are needed.
  ///   - labels: what each picture is scored against; nil for those that the classifier was opened with.
  ///   - topK: the labels wanted for each picture; nil for all.
  ///   - width: how many pictures are worked on at a time, at least 1; nil for as many as there are processors
  ///     for them.
  public func classifications<Pictures: Sequence<Picture>>(
    of pictures: Pictures, labels: [String]? = nil, topK: Int? = nil, width: Int? = nil
  ) -> InferenceBatch<Pictures, ZeroShotClassification> {
    inference(.named(labels), topK).batch(of: pictures, width: width)
  }

  /// The results for pictures that come by and by, in their order.
  public func classifications<Pictures: AsyncSequence & Sendable>(
    of pictures: Pictures, labels: [String]? = nil, topK: Int? = nil, width: Int? = nil
  ) -> InferenceStream<Pictures, ZeroShotClassification> where Pictures.Element == Picture {
    inference(.named(labels), topK).stream(of: pictures, width: width)
  }

  func labelInference(
    _ templates: [String]?, _ masksPadding: Bool?
  ) -> Inference<[String], LabelEmbeddings> {
    Inference { (labels, isCancelled) throws(ApusError) in
      let sentences = if let templates { try PromptTemplates(templates) } else { self.templates }
      return try self.labelEmbedders.embedder(masksPadding: masksPadding)
        .embed(labels, in: sentences, isCancelled: isCancelled)
    }
  }
}

extension Blocking<ZeroShotClassifier> {
  /// Scores a picture against labels.
  /// - Parameters:
  ///   - picture: what is looked at.
  ///   - labels: each once; nil for those that the classifier was opened with.
  ///   - topK: the labels wanted, at least 1; nil for all.
  ///   - reading: how cosines become scores, where that is not the classifier's way.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `argument` for the labels, `topK` or the reading,
  ///   `cancelled`.
  public func classify(
    _ picture: Picture, labels: [String]? = nil, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) throws(ApusError) -> ZeroShotClassification {
    try model.inference(.named(labels), topK, reading).now(picture, until: isCancelled)
  }

  /// Scores a picture against labels that were embedded before.
  public func classify(
    _ picture: Picture, among labels: LabelEmbeddings, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) throws(ApusError) -> ZeroShotClassification {
    try model.inference(.embedded(labels), topK, reading).now(picture, until: isCancelled)
  }

  /// Scores the embedding of a picture, which another program may have computed with the same model.
  /// - Throws: ``ApusError`` of kind `argument` for an embedding of another width, the labels, `topK` or the reading;
  ///   `cancelled`.
  public func classify(
    embedding: Embedding, labels: [String]? = nil, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) throws(ApusError) -> ZeroShotClassification {
    try model.embeddingInference(.named(labels), topK, reading).now(embedding, until: isCancelled)
  }

  /// Scores the embedding of a picture against labels that were embedded before.
  public func classify(
    embedding: Embedding, among labels: LabelEmbeddings, topK: Int? = nil,
    reading: ZeroShotReading = ZeroShotReading()
  ) throws(ApusError) -> ZeroShotClassification {
    try model.embeddingInference(.embedded(labels), topK, reading).now(embedding, until: isCancelled)
  }

  /// Scores pictures, one after the other.
  /// - Throws: the ``ApusError`` of the first picture that fails.
  public func classify(
    _ pictures: [Picture], labels: [String]? = nil, topK: Int? = nil
  ) throws(ApusError) -> [ZeroShotClassification] {
    try model.inference(.named(labels), topK).now(pictures, until: isCancelled)
  }

  /// Embeds labels, to be kept or sent to a program that has the model's other tower.
  /// - Parameters:
  ///   - labels: each once.
  ///   - templates: sentences with `{}` where the label goes; nil for those that the classifier was opened with.
  ///   - masksPadding: as ``ZeroShotClassifier/Options/masksPadding``; nil for what the classifier was opened with.
  /// - Throws: ``ApusError`` of kind `argument` for the labels, the templates or the mask, `cancelled`.
  public func embed(
    labels: [String], templates: [String]? = nil, masksPadding: Bool? = nil
  ) throws(ApusError) -> LabelEmbeddings {
    try model.labelInference(templates, masksPadding).now(labels, until: isCancelled)
  }
}

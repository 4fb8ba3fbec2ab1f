import Networks
import TensorCore

extension LabelEmbeddings {
  /// Scores the embedding of a picture against the labels, without any model: for a program that is sent
  /// embeddings, and has the model's tower for texts alone, or none.
  ///
  ///     let texts = try await TextEmbedder.load("siglip-text")
  ///     let labels = try await texts.embed(labels: ["pneumonia", "normal chest x-ray"])
  ///     let sent = Embedding([Float](repeating: 0.5, count: texts.width))
  ///     let result = try labels.classify(embedding: sent, scoring: .softmax, logitScale: 10)
  ///
  /// A tower alone has no scale and bias, unlike a folder with both towers: the caller gives them.
  /// - Parameters:
  ///   - embedding: of the model that embedded the labels, of any length.
  ///   - scoring: how logits are read.
  ///   - logitScale: the number by which cosines are multiplied.
  ///   - logitBias: what is added then.
  ///   - threshold: the score below which a label is uncertain, from 0 to 1; nil for 0: nothing is uncertain.
  ///   - topK: the labels wanted, at least 1; nil for all.
  /// - Throws: ``ApusError`` of kind `argument` for an embedding of another width, or one that is not finite, and
  ///   for the other arguments.
  public func classify(
    embedding: Embedding, scoring: ZeroShotScoring, logitScale: Float, logitBias: Float = 0,
    threshold: Float? = nil, topK: Int? = nil
  ) throws(ApusError) -> ZeroShotClassification {
    try classify(
      embedding: embedding,
      reading: ZeroShotReading(scoring: scoring, logitScale: logitScale, logitBias: logitBias),
      threshold: threshold, topK: topK)
  }

  /// Scores with a reading, which must set the logit scale. By default scores are softmax, with no bias. Masked padding has
  /// no effect, because labels are already embedded.
  /// - Throws: ``ApusError`` of kind `argument` for an embedding of another width, or one that is not finite, and
  ///   for the other arguments.
  public func classify(
    embedding: Embedding, reading: ZeroShotReading, threshold: Float? = nil, topK: Int? = nil
  ) throws(ApusError) -> ZeroShotClassification {
    _ = try TopK.checked(topK)
    try Threshold.validate(threshold)
    guard reading.masksPadding == nil else { throw .choiceForEmbeddedLabels }
    let (scoring, scaling) = try reading.alone()
    try embedding.validate(width: width, as: "the labels'")
    var watch = Stopwatch()
    let logits = LabelLogits(
      picture: Vectors.unit(embedding.values), labels: embeddings, scale: scaling.scale, bias: scaling.bias)
    let ranked = logits.ranked(self, by: scoring, threshold: threshold ?? 0)
    return ZeroShotClassification(
      Array(ranked.prefix(topK ?? ranked.count)), nil, scoring: scoring, preprocessing: nil,
      damage: embedding.damage, times: StageTimes(run: 0, rank: watch.lap()))
  }
}

extension ApusError {
  /// Masked padding is chosen too late.
  static var choiceForEmbeddedLabels: ApusError {
    ApusError(
      .argument, "a choice of masked padding for labels that were embedded before",
      expected: "the choice where they are embedded")
  }
}

extension Embedding {
  /// - Parameter others: whose embeddings have that width, for the error.
  /// - Throws: ``ApusError`` of kind `argument` for another width, or a number that is not finite.
  package func validate(width: Int, as others: String) throws(ApusError) {
    guard values.count == width else {
      throw ApusError(
        .argument, "an embedding of \(values.count) numbers", expected: "\(width), as \(others) have")
    }
    if let bad = values.firstIndex(where: { !$0.isFinite }) {
      throw ApusError(
        .argument, "element \(bad) of the embedding is \(values[bad])", expected: "a finite number")
    }
  }
}

import Networks
import TensorCore

extension ZeroShotClassifier {
  /// The labels a picture is scored against.
  enum Labels: Sendable {
    /// By their names; nil for those that the classifier was opened with.
    case named([String]?)
    case embedded(LabelEmbeddings)
  }

  func inference(
    _ labels: Labels, _ topK: Int?, _ reading: ZeroShotReading = ZeroShotReading()
  ) -> Inference<Picture, ZeroShotClassification> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.classify(picture, labels, topK, reading, isCancelled: isCancelled)
    }
  }

  private func classify(
    _ picture: Picture, _ labels: Labels, _ topK: Int?, _ reading: ZeroShotReading, isCancelled: () -> Bool
  ) throws(ApusError) -> ZeroShotClassification {
    _ = try TopK.checked(topK)
    let scaling = try resolved(reading)
    var watch = Stopwatch()
    let (described, tokenize) = try embeddings(labels, reading.masksPadding, isCancelled: isCancelled)
    let labelled = watch.lap() - tokenize
    let (decode, damage, seen) = try images.outputs(for: picture, isCancelled: isCancelled)
    watch = Stopwatch()
    let embedding = try embedding(of: seen, picture)
    let novelty = noveltyCheck?(seen)
    let predictions = try rank(
      embedding, described, topK, scaling, reading.scoring, isForeign: novelty?.isForeign ?? false)
    return ZeroShotClassification(
      predictions, novelty, scoring: reading.scoring ?? scoring, preprocessing: preprocessing, damage: damage,
      times: StageTimes(
        decode: decode, tokenize: tokenize, preprocess: seen.preparation, run: seen.run, rank: watch.lap(),
        labels: labelled))
  }

  /// Scores an embedding of this model, computed before or elsewhere, instead of a picture.
  func embeddingInference(
    _ labels: Labels, _ topK: Int?, _ reading: ZeroShotReading = ZeroShotReading()
  ) -> Inference<Embedding, ZeroShotClassification> {
    Inference { (embedding, isCancelled) throws(ApusError) in
      _ = try TopK.checked(topK)
      let scaling = try self.resolved(reading)
      try embedding.validate(width: self.width, as: "the model's")
      var watch = Stopwatch()
      let (described, tokenize) = try self.embeddings(
        labels, reading.masksPadding, isCancelled: isCancelled)
      let labelled = watch.lap() - tokenize
      let predictions = try self.rank(
        Vectors.unit(embedding.values), described, topK, scaling, reading.scoring, isForeign: false)
      return ZeroShotClassification(
        predictions, nil, scoring: reading.scoring ?? self.scoring, preprocessing: nil,
        damage: embedding.damage,
        times: StageTimes(tokenize: tokenize, run: 0, rank: watch.lap(), labels: labelled))
    }
  }

  private func resolved(_ reading: ZeroShotReading) throws(ApusError) -> LogitScaling {
    try reading.validate()
    return try scaling.replaced(by: reading)
  }

  private func rank(
    _ embedding: [Float], _ labels: LabelEmbeddings, _ topK: Int?, _ scaling: LogitScaling,
    _ scoring: ZeroShotScoring?, isForeign: Bool
  ) throws(ApusError) -> [LabelScore] {
    guard labels.width == embedding.count else {
      throw ApusError(
        .argument, "an embedding of \(embedding.count) numbers for labels of \(labels.width)",
        expected: "embeddings of one model")
    }
    let logits = LabelLogits(
      picture: embedding, labels: labels.embeddings, scale: scaling.scale, bias: scaling.bias,
      temperature: scaling.temperature)
    let ranked = logits.ranked(
      labels, by: scoring ?? self.scoring, threshold: threshold, isForeign: isForeign)
    return topK.map { Array(ranked.prefix($0)) } ?? ranked
  }

  /// - Returns: also the milliseconds that the tokens of labels took which were not met before.
  private func embeddings(
    _ labels: Labels, _ masksPadding: Bool?, isCancelled: () -> Bool
  ) throws(ApusError) -> (labels: LabelEmbeddings, tokenize: Double) {
    switch labels {
    case .named(nil) where self.labels.isEmpty:
      throw ApusError(
        .argument, "no labels with the call, and none that the classifier was opened with",
        expected: "at least one")
    case .named(let names):
      return try labelEmbedders.embedder(masksPadding: masksPadding)
        .timedEmbed(names ?? self.labels, in: templates, isCancelled: isCancelled)
    case .embedded where masksPadding != nil: throw .choiceForEmbeddedLabels
    case .embedded(let embeddings): return (embeddings, 0)
    }
  }
}

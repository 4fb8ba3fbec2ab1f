import Networks
import TensorCore

extension ZeroShotClassifier {
  /// What a picture is scored against.
  enum Labels: Sendable {
    /// By their names; nil for those that the classifier was opened with.
    case named([String]?)
    case embedded(LabelEmbeddings)
  }

  func inference(_ labels: Labels, _ topK: Int?) -> Inference<Picture, ZeroShotClassification> {
    Inference { (picture, isCancelled) throws(ApusError) in
      try self.classify(picture, labels, topK, isCancelled: isCancelled)
    }
  }

  private func classify(
    _ picture: Picture, _ labels: Labels, _ topK: Int?, isCancelled: () -> Bool
  ) throws(ApusError) -> ZeroShotClassification {
    _ = try TopK.checked(topK)
    var watch = Stopwatch()
    let described = try embeddings(labels, isCancelled: isCancelled)
    let labelled = watch.lap()
    let (decode, damage, seen) = try images.outputs(for: picture, isCancelled: isCancelled)
    watch = Stopwatch()
    let embedding = try Vectors.finiteUnit(seen.values, of: picture.path ?? "picture", model: path)
    let novelty = noveltyCheck?(seen)
    let predictions = try rank(embedding, described, topK, isForeign: novelty?.isForeign ?? false)
    return ZeroShotClassification(
      predictions, novelty, scoring: scoring, preprocessing: preprocessing, damage: damage,
      milliseconds: StageMilliseconds(
        decode: decode, preprocess: seen.preparation, run: seen.run, rank: watch.lap(), labels: labelled))
  }

  /// Scores an embedding of this model, computed before or elsewhere, instead of a picture.
  var embeddingInference:
    Inference<(embedding: Embedding, labels: Labels, topK: Int?), ZeroShotClassification>
  {
    Inference { (input, isCancelled) throws(ApusError) in
      _ = try TopK.checked(input.topK)
      var watch = Stopwatch()
      let described = try self.embeddings(input.labels, isCancelled: isCancelled)
      let labelled = watch.lap()
      if let bad = input.embedding.values.firstIndex(where: { !$0.isFinite }) {
        throw ApusError(
          .argument, "element \(bad) of the embedding is \(input.embedding.values[bad])",
          expected: "a finite number")
      }
      let predictions = try self.rank(
        Vectors.unit(input.embedding.values), described, input.topK, isForeign: false)
      return ZeroShotClassification(
        predictions, nil, scoring: self.scoring, preprocessing: nil, damage: input.embedding.damage,
        milliseconds: StageMilliseconds(preprocess: 0, run: 0, rank: watch.lap(), labels: labelled))
    }
  }

  private func rank(
    _ embedding: [Float], _ labels: LabelEmbeddings, _ topK: Int?, isForeign: Bool
  ) throws(ApusError) -> [LabelScore] {
    guard labels.width == embedding.count else {
      throw ApusError(
        .argument, "an embedding of \(embedding.count) numbers for labels of \(labels.width)",
        expected: "embeddings of one model")
    }
    let logits = LabelLogits(picture: embedding, labels: labels.embeddings, scale: scale, bias: bias)
    let ranked = logits.ranked(labels, by: scoring, threshold: threshold, isForeign: isForeign)
    return topK.map { Array(ranked.prefix($0)) } ?? ranked
  }

  func embeddings(_ labels: Labels, isCancelled: () -> Bool) throws(ApusError) -> LabelEmbeddings {
    switch labels {
    case .named(let names): try labelEmbedder.embed(names ?? self.labels, isCancelled: isCancelled)
    case .embedded(let embeddings): embeddings
    }
  }
}

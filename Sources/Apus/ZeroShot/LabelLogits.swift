import Statistics

/// Logits of labels for one picture, and both readings of them.
struct LabelLogits {
  let logits: [Float]
  let softmax: [Float]
  let sigmoid: [Float]

  /// - Parameters:
  ///   - picture: the picture's embedding, of length 1.
  ///   - labels: an embedding of length 1 for each label.
  ///   - temperature: what logits are divided by for both readings.
  init(picture: [Float], labels: [Embedding], scale: Float, bias: Float, temperature: Float = 1) {
    let logits = labels.map { Vectors.dot(picture, $0.values) * Double(scale) + Double(bias) }
    let greatest = logits.max() ?? 0
    self.logits = logits.map(Float.init)
    softmax = Probabilities.softmax(distances: logits.map { ($0 - greatest) / Double(temperature) })
    sigmoid = logits.map { Probabilities.logistic($0 / Double(temperature)) }
  }

  /// The scores of labels, best first.
  /// - Parameters:
  ///   - threshold: the score below which a label is uncertain.
  ///   - isForeign: whether every label is.
  func ranked(
    _ labels: LabelEmbeddings, by scoring: ZeroShotScoring, threshold: Float, isForeign: Bool = false
  ) -> [LabelScore] {
    Ranking.order(logits).map { index in
      let score = scoring == .softmax ? softmax[index] : sigmoid[index]
      return LabelScore(
        label: labels.labels[index], index: index, score: score, isUncertain: isForeign || score < threshold,
        wasTruncated: labels.embeddings[index].wasTruncated, logit: logits[index], softmax: softmax[index],
        sigmoid: sigmoid[index])
    }
  }
}

import Statistics

/// Logits of labels for one picture, and both readings of them.
struct LabelLogits {
  let logits: [Float]
  let softmax: [Float]
  let sigmoid: [Float]

  /// - Parameters:
  ///   - picture: the picture's embedding, of length 1.
  ///   - labels: an embedding of length 1 for each label.
  init(picture: [Float], labels: [[Float]], scale: Float, bias: Float) {
    let logits = labels.map { Vectors.dot(picture, $0) * Double(scale) + Double(bias) }
    let greatest = logits.max() ?? 0
    self.logits = logits.map(Float.init)
    softmax = Probabilities.softmax(distances: logits.map { $0 - greatest })
    sigmoid = logits.map(Probabilities.logistic)
  }

  /// The scores of `labels`, best first.
  func ranked(_ labels: [String], by scoring: ZeroShotScoring) -> [LabelScore] {
    Ranking.order(logits).map { index in
      LabelScore(
        label: labels[index], index: index, score: scoring == .softmax ? softmax[index] : sigmoid[index],
        logit: logits[index], softmax: softmax[index], sigmoid: sigmoid[index])
    }
  }
}

import Foundation

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
    let powers = logits.map { exp($0 - greatest) }
    let sum = powers.reduce(0, +)
    self.logits = logits.map(Float.init)
    softmax = powers.map { Float($0 / sum) }
    sigmoid = logits.map { Float(1 / (1 + exp(-$0))) }
  }

  /// The scores of `labels`, best first.
  func ranked(_ labels: [String], by scoring: ZeroShotScoring) -> [LabelScore] {
    let order = logits.indices.sorted { (logits[$1], $0) < (logits[$0], $1) }
    return order.map { index in
      LabelScore(
        label: labels[index], index: index, score: scoring == .softmax ? softmax[index] : sigmoid[index],
        logit: logits[index], softmax: softmax[index], sigmoid: sigmoid[index])
    }
  }
}

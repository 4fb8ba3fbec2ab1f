import CLibrary

/// Logits as probabilities.
enum Probabilities {
  /// Of one class among all: e to each logit, over the sum of that for all.
  /// - Parameter distances: of each logit from the greatest, none above 0.
  static func softmax(distances: [Double]) -> [Float] {
    let powers = distances.map { exp($0) }
    let sum = powers.reduce(0, +)
    return powers.map { Float($0 / sum) }
  }

  /// Of a class for itself.
  static func logistic(_ logit: Double) -> Float { Float(1 / (1 + exp(-logit))) }
}

import Glibc

/// The number by which logits are divided so that scores are worth what they say (Guo et al. 2017).
enum TemperatureFit {
  /// What is looked through, and how narrow the place of the minimum is made, as factors.
  private static let range = 0.05...20.0
  private static let precision = 1.0005

  /// The temperature of the least mean negative log likelihood, which has one minimum along it.
  /// - Parameters:
  ///   - logits: of each sample, a number for each class; minus infinity rules a class out.
  ///   - classes: the right one of each sample.
  static func temperature(_ logits: [[Float]], _ classes: [Int]) -> Float {
    guard !logits.isEmpty else { return 1 }
    // Golden section search along the logarithm.
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (log(range.lowerBound), log(range.upperBound))
    while high - low > log(precision) {
      let (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
      if loss(logits, classes, exp(left)) <= loss(logits, classes, exp(right)) {
        high = right
      } else {
        low = left
      }
    }
    return Float(exp((low + high) / 2))
  }

  /// The mean of the negative logarithms of the right classes' scores.
  static func loss(_ logits: [[Float]], _ classes: [Int], _ temperature: Double) -> Double {
    let losses = zip(logits, classes).map { logits, right -> Double in
      guard let greatest = logits.max(), greatest.isFinite else { return 0 }
      let powers = logits.map { exp(Double($0 - greatest) / temperature) }
      // A class that is ruled out costs much, but not everything.
      let own = max(powers[right], leastPower)
      return log(powers.reduce(0, +)) - log(own)
    }
    return losses.reduce(0, +) / Double(losses.count)
  }

  private static let leastPower = 1e-12
}

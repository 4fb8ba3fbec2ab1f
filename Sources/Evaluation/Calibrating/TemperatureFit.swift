import CLibrary

/// The number by which logits are divided so that scores are worth what they say (Guo et al. 2017).
enum TemperatureFit {
  /// What samples say of it.
  enum Outcome: Equatable {
    /// The temperature of the least loss.
    case found(Float)
    /// The loss falls as scores become surer, without an end: as where all are right.
    case unbounded
    /// No temperature is better than scores that are the same for all classes: as where labels are exchanged.
    case meaningless
  }

  /// What is looked through first.
  private static let range = 0.05...20.0
  /// And beyond, as far as a `meta.json` may have it.
  private static let (lower, upper) = (0.01...0.05, 20.0...100.0)
  /// How narrow the place of the minimum is made, as a factor.
  private static let precision = 1.0005
  /// The share of the loss of equal scores that scores worth dividing save.
  private static let leastSaving = 0.01

  /// The temperature of the least mean negative log likelihood, which has one minimum along it.
  /// - Parameters:
  ///   - logits: of each sample, a number for each class; minus infinity rules a class out.
  ///   - classes: the right one of each sample.
  static func outcome(_ logits: [[Float]], _ classes: [Int]) -> Outcome {
    guard let classCount = logits.first?.count else { return .unbounded }
    let usual = search(range, logits, classes)
    switch usual.end {
    case nil: return .found(Float(usual.temperature))
    case .lower:
      let low = search(lower, logits, classes)
      return low.end == .lower ? .unbounded : .found(Float(low.temperature))
    case .upper:
      let high = search(upper, logits, classes)
      let equal = log(Double(classCount))
      let isMeaningless = loss(logits, classes, high.temperature) > (1 - leastSaving) * equal
      return isMeaningless ? .meaningless : .found(Float(high.temperature))
    }
  }

  /// An end of what is looked through.
  private enum End { case lower, upper }

  /// Golden section search along the logarithm.
  /// - Returns: the middle of the last section, and the end that it lies at.
  private static func search(
    _ range: ClosedRange<Double>, _ logits: [[Float]], _ classes: [Int]
  ) -> (temperature: Double, end: End?) {
    let ratio = (5.0.squareRoot() - 1) / 2
    let ends = (low: log(range.lowerBound), high: log(range.upperBound))
    var (low, high) = ends
    while high - low > log(precision) {
      let (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
      if loss(logits, classes, exp(left)) <= loss(logits, classes, exp(right)) {
        high = right
      } else {
        low = left
      }
    }
    let end: End? = low == ends.low ? .lower : high == ends.high ? .upper : nil
    return (exp((low + high) / 2), end)
  }

  /// The mean of the negative logarithms of the right classes' scores.
  static func loss(_ logits: [[Float]], _ classes: [Int], _ temperature: Double) -> Double {
    let losses = zip(logits, classes).map { logits, right -> Double in
      guard let greatest = logits.max(), greatest.isFinite else { return 0 }
      let exponents = logits.map { Double($0 - greatest) / temperature }
      // A class that is ruled out costs much, but not everything.
      let own = exponents[right].isFinite ? exponents[right] : ruledOut
      return log(exponents.map { exp($0) }.reduce(0, +)) - own
    }
    return losses.reduce(0, +) / Double(losses.count)
  }

  /// At no temperature does it become less, as a class that is only unlikely does.
  private static let ruledOut: Double = log(1e-12)
}

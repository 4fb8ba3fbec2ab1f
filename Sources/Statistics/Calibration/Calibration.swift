/// Whether confidence is worth what it says: answers sorted into bins by confidence, each with its accuracy.
/// What a reliability diagram shows.
public struct Calibration: Sendable, Hashable {
  /// Answers of like confidence.
  public struct Bin: Sendable, Hashable {
    /// Confidence above `lower` and at most `upper`; the first bin has 0 too.
    public let lower: Double
    /// The greatest confidence.
    public let upper: Double
    /// Answers in the bin.
    public let count: Int
    /// The mean confidence and the share of right answers; 0 for an empty bin.
    public let confidence: Double
    /// The share of right answers; 0 for an empty bin.
    public let accuracy: Double

    package init(lower: Double, upper: Double, count: Int, confidence: Double, accuracy: Double) {
      self.lower = lower
      self.upper = upper
      self.count = count
      self.confidence = confidence
      self.accuracy = accuracy
    }

    /// The 95 % interval of ``accuracy`` (Wilson 1927), each answer taken to stand alone.
    public var interval: Interval {
      Proportion(Int((accuracy * Double(count)).rounded()), of: count).interval
    }
  }

  /// Of equal width, from confidence 0 to 1.
  public let bins: [Bin]

  package init(bins: [Bin]) { self.bins = bins }

  /// - Parameters:
  ///   - confidences: of each answer, from 0 to 1.
  ///   - isRight: whether each answer is right.
  ///   - binCount: at least 1.
  package init(confidences: [Double], isRight: [Bool], binCount: Int = 15) {
    var counts = [Int](repeating: 0, count: binCount)
    var rights = counts
    var sums = [Double](repeating: 0, count: binCount)
    for (confidence, isRight) in zip(confidences, isRight) {
      let bin = Self.bin(of: confidence, binCount)
      counts[bin] += 1
      sums[bin] += confidence
      if isRight { rights[bin] += 1 }
    }
    bins = (0..<binCount).map { bin in
      let count = Double(max(counts[bin], 1))
      return Bin(
        lower: Double(bin) / Double(binCount), upper: Double(bin + 1) / Double(binCount), count: counts[bin],
        confidence: sums[bin] / count, accuracy: Double(rights[bin]) / count)
    }
  }

  /// The place of the bin of a confidence.
  static func bin(of confidence: Double, _ binCount: Int) -> Int {
    min(max(Int((confidence * Double(binCount)).rounded(.up)) - 1, 0), binCount - 1)
  }

  /// The expected calibration error (Guo et al. 2017): the mean distance of confidence and accuracy over the
  /// bins, each weighted by its answers; 0 without any.
  public var expectedError: Double {
    let total = bins.reduce(0) { $0 + $1.count }
    guard total > 0 else { return 0 }
    let sum = bins.reduce(0.0) { $0 + Double($1.count) * abs($1.confidence - $1.accuracy) }
    return sum / Double(total)
  }
}

/// The macro-F1 of samples that may be there several times or not at all, for ``Bootstrap``.
package struct ResampledMacroF1: Sendable {
  private let truths: [Int]
  private let answers: [Int]
  private let classCount: Int

  /// - Parameters:
  ///   - truths: the class of each sample.
  ///   - answers: the class that each was said to be of.
  package init(truths: [Int], answers: [Int]) {
    let classes = Set(truths).union(answers).sorted()
    let places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    self.truths = truths.map { places[$0] ?? 0 }
    self.answers = answers.map { places[$0] ?? 0 }
    classCount = classes.count
  }

  /// As ``ConfusionMatrix/macroF1``.
  /// - Parameter times: how often each sample is there.
  package func callAsFunction(_ times: [Int]) -> Double {
    var hits = [Int](repeating: 0, count: classCount)
    var said = hits
    for index in times.indices where times[index] > 0 {
      let (truth, answer, count) = (truths[index], answers[index], times[index])
      said[truth] += count
      said[answer] += count
      if truth == answer { hits[truth] += count }
    }
    var (sum, occurring) = (0.0, 0)
    for (hits, said) in zip(hits, said) where said > 0 {
      sum += 2 * Double(hits) / Double(said)
      occurring += 1
    }
    return occurring > 0 ? sum / Double(occurring) : 0
  }
}

/// The expected calibration error of samples that may be there several times or not at all, for ``Bootstrap``.
package struct ResampledCalibrationError: Sendable {
  private let bins: [Int]
  /// Of each sample 1 where the answer is right, less its confidence.
  private let excesses: [Double]
  private let binCount: Int

  /// As ``Calibration`` takes them.
  package init(confidences: [Double], isRight: [Bool], binCount: Int = 15) {
    bins = confidences.map { Calibration.bin(of: $0, binCount) }
    excesses = zip(confidences, isRight).map { ($1 ? 1 : 0) - $0 }
    self.binCount = binCount
  }

  /// As ``Calibration/expectedError``.
  /// - Parameter times: how often each sample is there.
  package func callAsFunction(_ times: [Int]) -> Double {
    var sums = [Double](repeating: 0, count: binCount)
    var total = 0
    for index in times.indices where times[index] > 0 {
      sums[bins[index]] += Double(times[index]) * excesses[index]
      total += times[index]
    }
    return total > 0 ? sums.reduce(0) { $0 + abs($1) } / Double(total) : 0
  }
}

/// Answers of like confidence, and the accuracies that they may come from.
struct AccuracyBin {
  /// The share of all answers.
  let weight: Double
  /// How many answers that stand alone tell as much.
  let count: Int
  /// The mean confidence.
  let confidence: Double
  /// The share of right answers.
  let accuracy: Double

  /// The bins of equal width that have answers.
  /// - Parameter groups: the group of each answer, numbered from 0 without gaps; nil where each stands alone.
  static func bins(
    _ confidences: [Double], _ isRight: [Bool], _ groups: [Int]?, _ binCount: Int
  ) -> [AccuracyBin] {
    let calibration = Calibration(confidences: confidences, isRight: isRight, binCount: binCount)
    let effects = groups.map { designEffects(calibration, confidences, isRight, $0) }
    return calibration.bins.enumerated().compactMap { (place, bin) -> AccuracyBin? in
      guard bin.count > 0 else { return nil }
      let alone = Double(bin.count) / (effects?[place] ?? 1)
      return AccuracyBin(
        weight: Double(bin.count) / Double(confidences.count), count: max(1, Int(alone.rounded())),
        confidence: bin.confidence, accuracy: bin.accuracy)
    }
  }

  /// The design effect of each bin: of its own answers or of all, whichever is greater, as a group may have answers in
  /// several bins.
  private static func designEffects(
    _ calibration: Calibration, _ confidences: [Double], _ isRight: [Bool], _ groups: [Int]
  ) -> [Double] {
    let places = confidences.map { Calibration.bin(of: $0, calibration.bins.count) }
    let excesses = zip(places, isRight).map { place, isRight in
      let bin = calibration.bins[place]
      let excess = (isRight ? 1 : 0) - bin.accuracy
      return bin.accuracy < bin.confidence ? -excess : excess
    }
    let whole = DesignEffect.of(excesses, groups: groups)
    return calibration.bins.indices.map { bin in
      max(
        whole, DesignEffect.of(excesses, groups: groups, among: places.indices.filter { places[$0] == bin }))
    }
  }

  /// How many deviations the accuracy is from the confidence, if that is the true one.
  var distance: Double {
    let away = abs(confidence - accuracy)
    let variance = confidence * (1 - confidence) / Double(count)
    if away == 0 { return 0 }
    return variance > 0 ? away / variance.squareRoot() : .infinity
  }

  /// The accuracy nearest to the confidence in Wilson's interval of so many deviations; the farthest, for a negative number.
  func accuracy(moved deviations: Double) -> Double {
    let (n, z2) = (Double(count), deviations * deviations)
    let centre = (accuracy + z2 / (2 * n)) / (1 + z2 / n)
    let spread = (accuracy * (1 - accuracy) / n + z2 / (4 * n * n)).squareRoot()
    let half = abs(deviations) / (1 + z2 / n) * spread
    let (lower, upper) = (max(0, centre - half), min(1, centre + half))
    if deviations >= 0 { return min(max(confidence, lower), upper) }
    return abs(lower - confidence) > abs(upper - confidence) ? lower : upper
  }
}

/// Which calibration errors go with the one that was measured, by drawing the answers of models that have them.
struct CalibrationErrorSearch {
  private let bins: [AccuracyBin]
  private let measured: Double
  /// The most deviations by which an accuracy need be moved to become its confidence.
  private let farthest: Double
  private let draws: Int
  /// For each bin, and for what comes of the bins' sizes: which draw has the i-th least value.
  private let orders: [[Int]]
  /// The standard normal distribution's, one for each draw, ascending.
  private let normal: [Double]

  /// The chance on each side of the interval.
  private static let tail = 0.025
  /// The deviations that accuracies are moved by at most, away from confidences and towards them.
  private static let reach = (away: -8.0, towards: 40.0)
  /// Halvings of ``reach``, to a thousandth of a deviation.
  private static let halvings = 16
  /// The deviations from which a bin is plainly in error by itself.
  private static let plain = 2.0
  /// What sums of fractions differ by for no other reason than rounding.
  private static let rounding = 1e-9

  /// - Parameters:
  ///   - bins: at least one.
  ///   - draws: at least 1.
  init(_ bins: [AccuracyBin], draws: Int, seed: UInt64) {
    self.bins = bins
    self.draws = draws
    measured = Self.error(of: bins, bins.map(\.accuracy))
    farthest = min(bins.map(\.distance).max() ?? 0, Self.reach.towards)
    normal = (0..<draws).map { NormalDistribution.quantile((Double($0) + 0.5) / Double(draws)) }
    var random = SplitMix64(seed: seed)
    orders = (0...bins.count).map { _ in random.order(of: draws) }
  }

  /// The error of the model that shows more than what was measured as often as less.
  var estimate: Double {
    // What is just as much is half of each.
    func isLess(_ accuracies: [Double]) -> Bool {
      let shown = shown(by: accuracies)
      return share(of: shown, atLeast: measured) < share(of: shown, atMost: measured)
    }
    guard isLess(bins.map(\.confidence)) else { return 0 }
    return error(moved: { $0.accuracy(moved: $1) }, nearestNot: isLess)
  }

  var interval: Interval {
    let none = shown(by: bins.map(\.confidence))
    let lower = share(of: none, atLeast: measured) < Self.tail ? self.lower : 0
    // Less than what models without error show by chance is no proof of still less error.
    let least = max(measured, none.sorted()[draws / 2])
    let upper = error(moved: { $0.accuracy(moved: $1) }) {
      share(of: shown(by: $0), atMost: least) >= Self.tail
    }
    return Interval(lower: lower, upper: max(upper, lower))
  }

  /// The lesser of two ends, for chance adds the more the fewer bins are in error: that of models in error in all bins, and
  /// that of models in error only in those which plainly are.
  private var lower: Double {
    func isBeyond(_ accuracies: [Double]) -> Bool {
      share(of: shown(by: accuracies), atLeast: measured) < Self.tail
    }
    func moved(_ bin: AccuracyBin, _ deviations: Double) -> Double {
      bin.distance < Self.plain ? bin.confidence : bin.accuracy(moved: deviations)
    }
    let all = error(moved: { $0.accuracy(moved: $1) }, nearestNot: isBeyond)
    guard !isBeyond(bins.map { moved($0, Self.reach.away) }) else { return all }
    return min(all, error(moved: moved, nearestNot: isBeyond))
  }

  /// The error of the model nearest to none at all of which something is not so that is so of models still nearer.
  private func error(
    moved: (AccuracyBin, Double) -> Double, nearestNot isSo: ([Double]) -> Bool
  ) -> Double {
    var (away, towards) = (Self.reach.away, farthest)
    for _ in 0..<Self.halvings {
      let middle = (away + towards) / 2
      if isSo(bins.map { moved($0, middle) }) { towards = middle } else { away = middle }
    }
    return Self.error(of: bins, bins.map { moved($0, away) })
  }

  private static func error(of bins: [AccuracyBin], _ accuracies: [Double]) -> Double {
    zip(bins, accuracies).reduce(0) { $0 + $1.0.weight * abs($1.0.confidence - $1.1) }
  }

  private func share(of shown: [Double], atLeast limit: Double) -> Double {
    Double(shown.count { $0 >= limit - Self.rounding }) / Double(draws)
  }

  private func share(of shown: [Double], atMost limit: Double) -> Double {
    Double(shown.count { $0 <= limit + Self.rounding }) / Double(draws)
  }

  /// The distances that draws of answers show. Each bin's right answers are drawn from strata of equal chance (Latin
  /// hypercube, McKay, Beckman and Conover 1979), which needs fewer draws; and where bins are in error unequally, how many
  /// answers fall into each is chance too, and adds a normal term.
  private func shown(by accuracies: [Double]) -> [Double] {
    var shown = [Double](repeating: 0, count: draws)
    var (mean, square, total) = (0.0, 0.0, 0)
    for (place, (bin, accuracy)) in zip(bins, accuracies).enumerated() {
      let counts = BinomialStrata.successes(of: bin.count, chance: accuracy, strata: draws)
      for (draw, count) in zip(orders[place], counts) {
        shown[draw] += bin.weight * abs(bin.confidence - Double(count) / Double(bin.count))
      }
      let error = abs(bin.confidence - accuracy)
      mean += bin.weight * error
      square += bin.weight * error * error
      total += bin.count
    }
    let deviation = (max(0, square - mean * mean) / Double(total)).squareRoot()
    guard deviation > 0 else { return shown }
    for (draw, value) in zip(orders[bins.count], normal) { shown[draw] += deviation * value }
    return shown
  }
}

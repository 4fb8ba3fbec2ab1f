import CLibrary

/// The sums that a ``ValueDifference`` is computed from, added up sample by sample.
struct DifferenceSums {
  private var baselineSquares = 0.0
  private var otherSquares = 0.0
  private var products = 0.0
  private var errorSquares = 0.0
  private var errors = 0.0
  private var greatest = 0.0
  private var least = Double.infinity
  private var most = -Double.infinity
  private(set) var count = 0
  private var notFinite = 0

  mutating func add(_ baseline: [Float], _ other: [Float]) {
    for (a, b) in zip(baseline, other) {
      let isSame = a == b || (a.isNaN && b.isNaN)
      guard a.isFinite, b.isFinite else {
        if !isSame { notFinite += 1 }
        continue
      }
      let (a, b) = (Double(a), Double(b))
      let error = abs(a - b)
      baselineSquares += a * a
      otherSquares += b * b
      products += a * b
      errorSquares += error * error
      errors += error
      if error > greatest { greatest = error }
      if a < least { least = a }
      if a > most { most = a }
    }
    count += min(baseline.count, other.count)
  }

  /// Adds what was added up elsewhere, of other samples.
  mutating func add(_ sums: DifferenceSums) {
    baselineSquares += sums.baselineSquares
    otherSquares += sums.otherSquares
    products += sums.products
    errorSquares += sums.errorSquares
    errors += sums.errors
    greatest = max(greatest, sums.greatest)
    least = min(least, sums.least)
    most = max(most, sums.most)
    count += sums.count
    notFinite += sums.notFinite
  }

  /// The figures so far; nil before there is any number.
  var difference: ValueDifference? {
    guard count > 0 else { return nil }
    let range = max(most - least, 0)
    // Sums over the other numbers would say that little or nothing differs.
    guard notFinite == 0 else {
      return ValueDifference(
        signalToNoise: -.infinity, cosine: .nan, gain: .nan, greatestError: .infinity, meanError: .infinity,
        baselineRange: range, count: count, notFinite: notFinite)
    }
    return ValueDifference(
      signalToNoise: errorSquares == 0 ? .infinity : 10 * log10(baselineSquares / errorSquares),
      cosine: cosine, gain: baselineSquares == 0 ? (otherSquares == 0 ? 1 : 0) : products / baselineSquares,
      greatestError: greatest, meanError: errors / Double(count),
      baselineRange: range, count: count, notFinite: 0)
  }

  private var cosine: Double {
    let length = (baselineSquares * otherSquares).squareRoot()
    if length == 0 { return baselineSquares == otherSquares ? 1 : 0 }
    return products / length
  }
}

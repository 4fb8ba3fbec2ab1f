/// How often a tensor's numbers fell into each of equal parts of its range.
struct ValueHistogram: Sendable {
  static let binCount = 2048

  private let range: ValueRange
  private let width: Float
  private var counts = [UInt64](repeating: 0, count: binCount)

  init(_ range: ValueRange) {
    self.range = range
    width = (range.upper - range.lower) / Float(Self.binCount)
  }

  /// Counts numbers; those outside the range count at its ends, and zeros, which any int8 gives back, do not.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    guard width > 0, (1 / width).isFinite else { return }
    let inverse = 1 / width
    counts.withUnsafeMutableBufferPointer { counts in
      for value in values where value != 0 {
        let bin = Int(max(0, min(Float(Self.binCount - 1), (value - range.lower) * inverse)))
        counts[bin] += 1
      }
    }
  }

  /// The range without the outermost numbers: a share of all that is left out at both ends together.
  func percentile(_ leftOut: Double) -> ValueRange {
    let total = counts.reduce(0, +)
    let allowed = UInt64(Double(total) * leftOut / 2)
    func edge(_ bins: some Sequence<Int>) -> Int {
      var passed: UInt64 = 0
      for bin in bins {
        passed += counts[bin]
        if passed > allowed { return bin }
      }
      return 0
    }
    guard total > 0 else { return range }
    let lower = range.lower + width * Float(edge(counts.indices))
    let upper = range.lower + width * Float(edge(counts.indices.reversed()) + 1)
    return ValueRange(lower: max(lower, range.lower), upper: min(upper, range.upper))
  }

  /// The range at which int8 gives the numbers back with the least mean square error.
  ///
  /// Both ends are drawn in together first, then each by itself.
  func leastError() -> ValueRange {
    guard width > 0 else { return range }
    let shares = (0...40).map { 1 - 0.02 * Float($0) }
    var best = (range: range, error: error(range))
    func consider(_ lower: Float, _ upper: Float) {
      let candidate = ValueRange(lower: lower, upper: upper)
      guard candidate.upper > candidate.lower else { return }
      let error = error(candidate)
      if error < best.error { best = (candidate, error) }
    }
    for share in shares { consider(range.lower * share, range.upper * share) }
    let both = best.range
    for share in shares { consider(both.lower * share, both.upper) }
    let lower = best.range
    for share in shares { consider(lower.lower, lower.upper * share) }
    return best.range
  }

  /// The sum of squared errors of int8 with a range. Inside a bin numbers are taken to be spread evenly.
  private func error(_ candidate: ValueRange) -> Double {
    let scale = Double(candidate.upper - candidate.lower) / 255
    guard scale > 0 else { return .infinity }
    let (lower, upper) = (Double(candidate.lower), Double(candidate.upper))
    // Rounding to a grid that is coarser than bins errs by a twelfth of a square step on average.
    let rounding = scale * scale / 12
    var sum = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      let centre = Double(range.lower) + (Double(bin) + 0.5) * Double(width)
      let outside = max(lower - centre, centre - upper, 0)
      sum += Double(count) * (outside > 0 ? outside * outside : rounding)
    }
    return sum
  }
}

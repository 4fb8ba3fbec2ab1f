import CLibrary

/// Takes values to positions in a drawing, linearly or by their logarithm.
package struct Scale {
  package enum Kind { case linear, logarithmic }

  package let kind: Kind
  package let lower: Double
  package let upper: Double
  package let start: Double
  package let end: Double

  /// A scale whose ends are the given values, or what can be drawn in their place.
  package init(_ lower: Double, _ upper: Double, onto start: Double, _ end: Double, _ kind: Kind = .linear) {
    var lower = lower.isFinite ? lower : 0
    var upper = upper.isFinite ? upper : lower + 1
    if kind == .logarithmic {
      lower = max(lower, 1e-30)
      upper = max(upper, lower * 1.000_001)
    } else if upper <= lower {
      upper = lower + max(abs(lower), 1)
    }
    self.kind = kind
    self.lower = lower
    self.upper = upper
    self.start = start
    self.end = end
  }

  /// The position of a value; values beyond an end lie at that end.
  package func callAsFunction(_ value: Double) -> Double {
    let share =
      switch kind {
      case .linear: (value - lower) / (upper - lower)
      case .logarithmic: log(max(value, 1e-30) / lower) / log(upper / lower)
      }
    guard !share.isNaN else { return start }
    return start + (end - start) * min(max(share, 0), 1)
  }

  package func contains(_ value: Double) -> Bool { value >= lower && value <= upper }
}

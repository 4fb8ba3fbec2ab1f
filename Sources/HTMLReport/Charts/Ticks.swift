import CLibrary

/// Values worth a mark on an axis, with their labels.
package struct Ticks {
  package let values: [Double]
  package let decimals: Int

  package func label(_ value: Double) -> String { NumberText.decimal(value, decimals) }

  /// Multiples of 1, 2 or 5 times a power of ten inside a range, about `count` of them (after Heckbert, "Nice
  /// numbers for graph labels", Graphics Gems, 1990).
  package static func linear(_ lower: Double, _ upper: Double, count: Int) -> Ticks {
    let step = niceStep((upper - lower) / Double(max(count, 1)))
    guard step.isFinite, step > 0, upper >= lower, abs(lower / step) < 1e9, abs(upper / step) < 1e9 else {
      return Ticks(values: [], decimals: 0)
    }
    let first = Int((lower / step - 1e-9).rounded(.up)), last = Int((upper / step + 1e-9).rounded(.down))
    return Ticks(
      values: first <= last ? (first...last).map { Double($0) * step } : [],
      decimals: min(max(-Int(log10(step).rounded(.down)), 0), 9))
  }

  /// Ticks for a scale.
  package static func of(_ scale: Scale, count: Int) -> Ticks {
    switch scale.kind {
    case .linear: linear(scale.lower, scale.upper, count: count)
    case .logarithmic: powers(scale.lower, scale.upper)
    }
  }

  /// A range widened to end on ticks.
  package static func nice(_ lower: Double, _ upper: Double, count: Int) -> ClosedRange<Double> {
    guard lower.isFinite, upper.isFinite, lower < upper else {
      let value = lower.isFinite ? lower : 0
      return value...(value + max(abs(value), 1))
    }
    let step = niceStep((upper - lower) / Double(max(count, 1)))
    guard step > 0, step.isFinite else { return lower...upper }
    return (lower / step + 1e-9).rounded(.down) * step...(upper / step - 1e-9).rounded(.up) * step
  }

  private static func niceStep(_ step: Double) -> Double {
    guard step > 0, step.isFinite else { return 0 }
    let power = pow(10, log10(step).rounded(.down))
    let mantissa = step / power
    let nice: Double = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10
    return nice * power
  }

  /// Powers of ten in a range.
  private static func powers(_ lower: Double, _ upper: Double) -> Ticks {
    guard lower > 0, upper.isFinite, lower <= upper else { return Ticks(values: [], decimals: 0) }
    let first = Int((log10(lower) - 1e-9).rounded(.up)), last = Int((log10(upper) + 1e-9).rounded(.down))
    return Ticks(
      values: first <= last ? (first...last).map { pow(10, Double($0)) } : [],
      decimals: min(max(-first, 0), 9))
  }
}

extension Collection where Element == Double {
  /// The value below which a share `p` of the sorted values lies, linear between neighbours: type 7 of Hyndman
  /// and Fan (1996), NumPy's default. NaN for no values.
  /// - Parameter p: from 0 to 1.
  package func quantile(_ p: Double) -> Double { sorted().quantileOfSorted(p) }

  /// The arithmetic mean; NaN for no values.
  package var mean: Double { reduce(0, +) / Double(count) }
}

extension [Double] {
  /// ``quantile(_:)`` of values that are in ascending order.
  package func quantileOfSorted(_ p: Double) -> Double {
    guard let last = indices.last else { return .nan }
    let place = Swift.min(Swift.max(p, 0), 1) * Double(last)
    let lower = Int(place)
    let upper = Swift.min(lower + 1, last)
    return self[lower] + (self[upper] - self[lower]) * (place - Double(lower))
  }
}

/// The times of one thing measured many times, in nanoseconds of one execution.
package struct Samples: Sendable {
  /// Ascending, at least one.
  package let nanoseconds: [Double]

  /// - Parameter nanoseconds: nil comes of none.
  package init?(_ nanoseconds: [Double]) {
    guard !nanoseconds.isEmpty else { return nil }
    self.nanoseconds = nanoseconds.sorted()
  }

  package var minimum: Double { nanoseconds[0] }
  package var median: Double { quantile(0.5) }

  /// The value below which a share of the samples lies, by linear interpolation between neighbours (type 7 of
  /// Hyndman and Fan 1996, the default of numpy).
  package func quantile(_ share: Double) -> Double {
    let position = Double(nanoseconds.count - 1) * min(max(share, 0), 1)
    let index = Int(position)
    guard index + 1 < nanoseconds.count else { return nanoseconds[nanoseconds.count - 1] }
    return nanoseconds[index] + (nanoseconds[index + 1] - nanoseconds[index]) * (position - Double(index))
  }

  /// How far the median lies above the shortest time, as a share of it.
  package var spread: Double { minimum > 0 ? (median - minimum) / minimum : 0 }
}

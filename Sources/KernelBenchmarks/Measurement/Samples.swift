import Statistics

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

  /// The time below which a share of the samples lies.
  package func quantile(_ share: Double) -> Double { nanoseconds.quantileOfSorted(share) }

  /// How far the median lies above the shortest time, as a share of it.
  package var spread: Double { minimum > 0 ? (median - minimum) / minimum : 0 }
}

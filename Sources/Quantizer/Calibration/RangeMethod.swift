/// How the range of an activation follows from the numbers it had.
public enum RangeMethod: String, Sendable, CaseIterable {
  /// From the least to the greatest.
  case extremes
  /// Without the outermost 0.01 %.
  case percentile
  /// Where int8 gives the numbers back with the least mean square error.
  case leastError = "least-error"

  func range(_ extremes: ValueRange, _ histogram: ValueHistogram?) -> ValueRange {
    guard let histogram else { return extremes }
    return switch self {
    case .extremes: extremes
    case .percentile: histogram.percentile(1e-4)
    case .leastError: histogram.leastError()
    }
  }
}

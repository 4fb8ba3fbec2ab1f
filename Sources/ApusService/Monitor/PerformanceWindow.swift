/// The time that a statistic looks back on: it ends now, and begins up to a twelfth later than its name says, because
/// time passes in twelfths of it.
public enum PerformanceWindow: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// The last minute.
  case minute = "1m"
  /// The last five minutes.
  case fiveMinutes = "5m"
  /// The last hour.
  case hour = "60m"

  /// How long it is.
  public var duration: Duration { .seconds(seconds) }

  var seconds: Int {
    switch self {
    case .minute: 60
    case .fiveMinutes: 300
    case .hour: 3600
    }
  }

  /// The parts that a window moves by.
  static let slices: UInt64 = 12

  /// The length of such a part.
  var sliceNanoseconds: UInt64 { UInt64(seconds) * 1_000_000_000 / Self.slices }
}

extension PerformanceWindow {
  /// The words after "the last".
  package var text: String {
    switch self {
    case .minute: "minute"
    case .fiveMinutes: "five minutes"
    case .hour: "hour"
    }
  }
}

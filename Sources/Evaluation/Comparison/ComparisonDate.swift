import Foundation

/// Dates as reports record them.
enum ComparisonDate {
  /// Now, in ISO 8601 with the offset of UTC.
  static var now: String {
    ISO8601DateFormatter.string(from: Date(), timeZone: .current, formatOptions: [.withInternetDateTime])
  }
}

import CLibrary

/// Dates as reports record them.
package enum ReportDate {
  /// Now, in ISO 8601 with the offset of UTC.
  package static var now: String {
    var (seconds, parts) = (time(nil), tm())
    localtime_r(&seconds, &parts)
    return text(parts, "%FT%T") + (parts.tm_gmtoff == 0 ? "Z" : offset(text(parts, "%z")))
  }

  private static func text(_ parts: tm, _ format: String) -> String {
    let capacity = 64
    return withUnsafePointer(to: parts) { parts in
      String(unsafeUninitializedCapacity: capacity) { bytes in
        bytes.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, capacity, format, parts) }
      }
    }
  }

  /// `+01:00` of `+0100`.
  private static func offset(_ digits: String) -> String { "\(digits.dropLast(2)):\(digits.suffix(2))" }
}

import CLibrary
import TensorCore

/// Numbers as readers expect them in print, the same in every locale: a true minus sign, thin spaces between
/// thousands and before units.
package enum NumberText {
  /// The space between a number and its unit: narrow, without a line break.
  package static let space = "\u{202F}"

  /// `12.34`, `−0.7`; a dash for what is not a number.
  package static func decimal(_ value: Double, _ decimals: Int) -> String {
    guard !value.isNaN else { return "–" }
    guard value.isFinite else { return value < 0 ? "−∞" : "∞" }
    // Numbers so large have no place in a report, but must not fill it with digits.
    if abs(value) >= 1e15 { return value.printed("%.2e") }
    let digits = abs(value).printed("%.\(min(max(decimals, 0), 12))f")
    // What rounds to nothing has no sign.
    let isZero = digits.allSatisfy { $0 == "0" || $0 == "." }
    return (value < 0 && !isZero ? "−" : "") + grouped(digits)
  }

  /// A decimal as style sheets read it.
  static func plain(_ value: Double, _ decimals: Int) -> String { value.printed("%.\(decimals)f") }

  /// A decimal with its sign, as differences are written: `+1.2`, `−0.7`, `0.0`.
  package static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = decimal(value, decimals)
    return value > 0 && text.contains { $0 != "0" && $0 != "." } ? "+" + text : text
  }

  /// `75.6 %` of a share of 1.
  package static func percent(_ share: Double, _ decimals: Int = 1) -> String {
    decimal(share * 100, decimals) + space + "%"
  }

  /// Percentage points of a difference of two shares, with the sign.
  package static func points(_ difference: Double, _ decimals: Int = 1) -> String {
    signed(difference * 100, decimals)
  }

  /// `10 000`.
  package static func count(_ value: Int) -> String {
    (value < 0 ? "−" : "") + grouped("\(value.magnitude)")
  }

  /// `1 picture`, `3 pictures`.
  package static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    count(value) + " " + (value == 1 ? one : many ?? one + "s")
  }

  /// `3.4 MiB`.
  package static func bytes(_ value: Int) -> String {
    var scaled = Double(value)
    var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
    while abs(scaled) >= 1024, units.count > 1 {
      scaled /= 1024
      units.removeFirst()
    }
    return decimal(scaled, units.first == "B" || abs(scaled) >= 100 ? 0 : 1) + space + (units.first ?? "")
  }

  /// `412 µs`, `3.25 ms`, `1.40 s`: three digits that count.
  package static func duration(seconds: Double) -> String {
    let units: [(String, Double)] = [("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)]
    let (name, size) = units.first { abs(seconds) >= $0.1 * 0.9995 } ?? ("ns", 1e-9)
    let scaled = seconds / size
    return significant(scaled, 3) + space + name
  }

  /// A decimal of so many digits that count, without an exponent: `0.0123`, `12.3`, `1 230`.
  package static func significant(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, value != 0 else { return decimal(value, 0) }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    return decimal(value, min(max(digits - 1 - magnitude, 0), 9))
  }

  /// How many times: `2.1×`.
  package static func times(_ ratio: Double) -> String {
    decimal(ratio, ratio >= 9.95 ? 0 : 1) + "×"
  }

  /// `p = 0.63`, `p < 0.001`; with so many decimals that 0.05 is not met by rounding.
  package static func probability(_ p: Double) -> String {
    if p < 0.001 { return "p\u{A0}<\u{A0}0.001" }
    return "p\u{A0}=\u{A0}"
      + decimal(p, p >= 0.095 ? 2 : (3..<8).first { abs(p - 0.05) > 0.6 * pow(0.1, Double($0)) } ?? 8)
  }

  private static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, whole.count > 4 else { return digits }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result += space }
      result.append(digit)
    }
    return parts.count > 1 ? result + "." + parts[1] : result
  }
}

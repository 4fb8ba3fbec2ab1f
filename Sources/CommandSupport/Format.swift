import TensorCore

/// Numbers for people, the same in every locale.
package enum Format {
  /// `12.34`, with a fixed number of decimals.
  package static func decimal(_ value: Double, _ decimals: Int = 2) -> String {
    value.printed("%.\(decimals)f")
  }

  /// `0.0123` or `1.23e-07`: a number of significant digits.
  package static func significant(_ value: Double, _ digits: Int) -> String { value.printed("%.\(digits)g") }

  /// `300.8 M` and the like; plain below a thousand.
  package static func count(_ value: Int) -> String {
    scaled(Double(value), 1000, ["", " k", " M", " G", " T"])
  }

  /// `3.4 MiB` and the like.
  package static func bytes(_ value: Int) -> String {
    scaled(Double(value), 1024, [" B", " KiB", " MiB", " GiB", " TiB"])
  }

  /// `1:02:03`, or `2:03` below an hour.
  package static func duration(_ seconds: Double) -> String {
    let total = Int(min(max(seconds, 0), 1e9).rounded())
    let twoDigits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let minutes = "\(twoDigits(total / 60 % 60)):\(twoDigits(total % 60))"
    return total >= 3600 ? "\(total / 3600):\(minutes)" : minutes
  }

  private static func scaled(_ value: Double, _ base: Double, _ units: [String]) -> String {
    var value = value
    var unit = 0
    while value >= base, unit + 1 < units.count {
      value /= base
      unit += 1
    }
    return (unit == 0 ? "\(Int(value))" : decimal(value, 1)) + units[unit]
  }
}

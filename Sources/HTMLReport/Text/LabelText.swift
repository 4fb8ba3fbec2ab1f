/// Labels inside drawings, whose font is the reader's: widths are estimates, on the wide side.
enum LabelText {
  /// The width in pixels at a size of font in pixels.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + advance($1) } * size
  }

  /// The label with its end left out where it does not fit.
  static func fitted(_ text: String, width limit: Double, size: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    var room = limit - advance("…") * size
    var result = ""
    for character in text {
      room -= width(String(character), size: size)
      if room < 0 { break }
      result.append(character)
    }
    return result.isEmpty ? "" : result + "…"
  }

  private static func advance(_ scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x300..<0x370, 0x200B..<0x2010: 0
    case 0x1100..<0x1160, 0x2E80..<0xD7A4, 0xF900..<0xFB00, 0xFF00..<0xFF61: 1
    case 0x1F000...: 1.3
    default: narrow.contains(scalar) ? 0.34 : wide.contains(scalar) ? 0.85 : 0.58
    }
  }

  private static let narrow = Set(" .,:;'|!()[]ijlftr-".unicodeScalars)
  private static let wide = Set("MWmw@%…—".unicodeScalars)
}

/// Labels inside drawings, whose font is the reader's: widths are estimates, on the wide side.
enum LabelText {
  /// The width in pixels at a size of font in pixels.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + advance($1) } * size
  }

  /// The label with its middle left out where it does not fit: names of files often differ only in their ends.
  static func fitted(_ text: String, width limit: Double, size: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    let room = limit - advance("…") * size
    let head = prefix(of: text, width: room * 0.55, size: size)
    let tail = prefix(of: text.reversed(), width: room * 0.45, size: size)
    return head.isEmpty ? "" : String(head) + "…" + String(tail.reversed())
  }

  /// As many characters as fit.
  private static func prefix(of text: some Sequence<Character>, width limit: Double, size: Double)
    -> [Character]
  {
    var room = limit
    return text.prefix { character in
      room -= width(String(character), size: size)
      return room >= 0
    }
  }

  private static func advance(_ scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x300..<0x370, 0x200B..<0x2010: 0
    case 0x1100..<0x1160, 0x2E80..<0xD7A4, 0xF900..<0xFB00, 0xFF00..<0xFF61: 1
    case 0x1F000...: 1.3
    default: narrow.contains(scalar) ? 0.37 : wide.contains(scalar) ? 0.9 : 0.62
    }
  }

  private static let narrow = Set(" .,:;'|!()[]ijlftr-".unicodeScalars)
  private static let wide = Set("MWmw@%…—".unicodeScalars)
}

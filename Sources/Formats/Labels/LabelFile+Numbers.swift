import TensorCore

/// Labels behind their numbers, `0 cat` and `1 dog`, as some tools write them.
extension LabelFile {
  /// The labels without their numbers, where each has its own, from 0 in order, and they differ without them: those of
  /// `0 stars` and `1 star` are part of what is said. Else the labels as they are.
  static func withoutNumbers(_ labels: [String]) -> [String] {
    var names: [String] = []
    for (index, label) in labels.enumerated() {
      guard let name = name(in: label, behind: index) else { return labels }
      names.append(name)
    }
    return names.count > 1 && Set(names.map { Array($0.utf8) }).count == names.count ? names : labels
  }

  /// The text behind a number, and behind space or a punctuation mark; nil where another number, or none, begins the label,
  /// or one follows: `0-9` and `0.5 mm` are names.
  private static func name(in label: String, behind number: Int) -> String? {
    let bytes = label.utf8[...]
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count < 10, Int(String(decoding: digits, as: UTF8.self)) == number else { return nil }
    var rest = bytes[digits.endIndex...].drop(while: isSpace)
    if let mark = rest.first, ":,.)".utf8.contains(mark) { rest = rest.dropFirst().drop(while: isSpace) }
    let name = String(decoding: rest, as: UTF8.self)
    guard rest.startIndex > digits.endIndex, let first = name.unicodeScalars.first,
      first.properties.numericType == nil
    else { return nil }
    return name
  }
}

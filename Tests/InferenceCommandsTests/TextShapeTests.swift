import CommandSupport
import TestSupport
import Testing

/// Texts as terminals are given them.
@Suite struct TextShapeTests {
  /// What a text is shortened to when all of it is looked at.
  private static func shortened(_ text: String, to limit: Int) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }).printable
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }

  /// Scalars of all kinds that characters begin, go on and end with.
  private static let scalars: [Unicode.Scalar] = [
    "a", " ", "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{1B}", "\u{202E}", "\u{301}", "\u{200D}", "\u{600}",
    "\u{1F469}", "\u{1F3FD}", "\u{1F1E9}", "\u{1F1EA}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{915}",
    "\u{94D}", "\u{FE0F}", "中", "é",
  ]

  @Test func theStartOfATextIsEnough() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...60, using: &random)
      let text = String(
        String.UnicodeScalarView((0..<count).map { _ in Self.scalars.randomElement(using: &random) ?? "a" }))
      let limit = Int.random(in: 1...30, using: &random)
      let (found, expected) = (text.shortened(to: limit), Self.shortened(text, to: limit))
      #expect(found.utf8.elementsEqual(expected.utf8), "\(text.unicodeScalars.map(\.value)), \(limit)")
    }
  }

  @Test func partsAreTheText() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &random)
      let text = String(
        String.UnicodeScalarView((0..<count).map { _ in Self.scalars.randomElement(using: &random) ?? "a" }))
      let length = Int.random(in: 1...9, using: &random)
      let parts = Array(text.parts(ofLength: length))
      #expect(parts.joined().utf8.elementsEqual(text.utf8))
      #expect(parts.allSatisfy { (1...length + 4).contains($0.utf8.count) })
      #expect(parts.dropLast().allSatisfy { $0.utf8.count >= length })
      #expect(parts.allSatisfy { String(decoding: Array($0.utf8), as: UTF8.self) == $0 })
    }
  }

  /// JSON is the same in parts as at once.
  @Test func jsonInParts() {
    let text = String(repeating: "\"\u{301}a\\ü\n中", count: 30_000)
    var quoted = "\""
    for scalar in text.unicodeScalars {
      quoted += scalar == "\"" ? "\\\"" : scalar == "\\" ? "\\\\" : scalar == "\n" ? "\\n" : String(scalar)
    }
    quoted += "\""
    let ids = (0..<50_000).map { Int32($0) }
    let value = JSON.object([
      ("text", .string(text)), ("ids", .integers(ids)), ("places", .list(3) { .integer($0) }),
      ("none", .array([])), ("no_ids", .integers([])),
    ])
    var parts: [String] = []
    value.write { parts.append($0) }
    let list = ids.map { "\($0)" }.joined(separator: ", ")
    let expected =
      "{\"text\": \(quoted), \"ids\": [\(list)], \"places\": [0, 1, 2], \"none\": [], \"no_ids\": []}"
    #expect(parts.joined() == expected && value.text == expected)
    #expect(parts.allSatisfy { $0.utf8.count < 1 << 18 })
  }
}

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
}

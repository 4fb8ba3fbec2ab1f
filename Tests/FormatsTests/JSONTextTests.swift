import Formats
import TestSupport
import Testing

/// Values as JSON text.
@Suite struct JSONTextTests {
  @Test func integersAreListed() {
    #expect(JSONText.list([]) == "[]")
    #expect(JSONText.list([0]) == "[0]")
    #expect(
      JSONText.list([.min, -10, -9, -1, 1, 9, 10, 99, 100, 101, 30_522, .max])
        == "[-2147483648, -10, -9, -1, 1, 9, 10, 99, 100, 101, 30522, 2147483647]")
    var random = SeededRandom()
    let integers = (0..<2000).map { _ in
      Int32.random(in: .min ... .max, using: &random) >> Int32.random(in: 0..<32, using: &random)
    }
    #expect(
      JSONText.list(integers) == "[" + integers.map(\.description).joined(separator: ", ") + "]",
      "seed \(random.seed)")
  }

  /// With characters that have to be escaped and without, alone and among others.
  @Test func textsAreReadBack() throws {
    for character in (0..<0x80).map({ String(Unicode.Scalar(UInt8($0))) }) + ["é", "日本", "🐦", ""] {
      for text in [character, "a" + character + "ü", character + character] {
        let quoted = JSONText.quoted(text)
        #expect(try JSONParser.parse(Array(quoted.utf8)[...]).string == text)
        #expect(!quoted.utf8.contains { $0 < 0x20 })
      }
    }
    #expect(JSONText.quoted("a \"b\"\\\n\u{1}") == #""a \"b\"\\\n\u0001""#)
    #expect(JSONText.quoted("plain, 'as it is' / ü") == #""plain, 'as it is' / ü""#)
  }
}

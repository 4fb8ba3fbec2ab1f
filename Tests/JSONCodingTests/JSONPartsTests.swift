import JSONCoding
import TestSupport
import Testing

/// Texts, and JSON with them, as they are handed out in parts.
@Suite struct JSONPartsTests {
  private static let scalars: [Unicode.Scalar] = ["a", "\u{301}", "é", "中", "😀", "\n", "\u{200d}"]

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
    let value = JSONText.object([
      ("text", .string(text)), ("ids", .integers(ids)), ("places", .list(3) { .integer($0) }),
      ("none", .array([])), ("no_ids", .integers([])),
    ])
    var parts: [String] = []
    value.write { parts.append($0) }
    let list = ids.map { "\($0)" }.joined(separator: ", ")
    let expected =
      "{\"text\": \(quoted), \"ids\": [\(list)], \"places\": [0, 1, 2], \"none\": [], \"no_ids\": []}"
    #expect(parts.joined() == expected && value.line == expected)
    #expect(parts.allSatisfy { $0.utf8.count < 1 << 18 })
  }

  /// Keys are called what one says, and what is below each too.
  @Test func keysHaveOtherNames() {
    let below = JSONKeys { [($0 == "a" ? "A" : $0, nil)] }
    let keys = JSONKeys { $0 == "a" ? [("a", nil), ("A", below)] : [($0, below)] }
    let value = JSONText.object([("a", ["a": 1]), ("b", [["a": ["a": 2]]])])
    var text = ""
    value.write(keys) { text += $0 }
    #expect(text == #"{"a": {"a": 1}, "A": {"A": 1}, "b": [{"A": {"a": 2}}]}"#)
  }
}

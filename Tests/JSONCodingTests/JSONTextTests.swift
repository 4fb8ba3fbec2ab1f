import JSONCoding
import TestSupport
import Testing

/// Values as JSON text.
@Suite struct JSONTextTests {
  private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }

  @Test func keysStayInOrder() {
    let json: JSONText = ["z": 1, "a": [nil, true, "x"], "m": ["b": .number(0.5)], "e": [:], "l": []]
    #expect(text(json) == #"{"z":1,"a":[null,true,"x"],"m":{"b":0.5},"e":{},"l":[]}"#)
    #expect(json.line == #"{"z": 1, "a": [null, true, "x"], "m": {"b": 0.5}, "e": {}, "l": []}"#)
  }

  @Test func valuesAreWrittenAsTheyWereRead() throws {
    let line =
      #"{"z": 1.50e+3, "a": [null, true, "x\n"], "m": {"b": 18446744073709551616}, "e": {}, "l": []}"#
    #expect(JSONText.text(of: try JSONValue.parse(Array(line.utf8)[...])) == line)
  }

  @Test func integersAreListed() {
    #expect(JSONText.integers([]).line == "[]")
    #expect(JSONText.integers([0]).line == "[0]")
    #expect(
      JSONText.integers([.min, -10, -9, -1, 1, 9, 10, 99, 100, 101, 30_522, .max]).line
        == "[-2147483648, -10, -9, -1, 1, 9, 10, 99, 100, 101, 30522, 2147483647]")
    var random = SeededRandom()
    let integers = (0..<2000).map { _ in
      Int32.random(in: .min ... .max, using: &random) >> Int32.random(in: 0..<32, using: &random)
    }
    #expect(
      JSONText.integers(integers).line == "[" + integers.map(\.description).joined(separator: ", ") + "]",
      "seed \(random.seed)")
  }

  @Test func integersOfEveryWidth() {
    var writer = JSONWriter()
    writer.list([UInt64.max, 0]) { $0.write($1) }
    writer.list([Int64.min, .max]) { $0.write($1) }
    writer.list([Int8.min, .max]) { $0.write($1) }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "[18446744073709551615,0][-9223372036854775808,9223372036854775807][-128,127]")
  }

  /// With characters that have to be escaped and without, alone and among others.
  @Test func textsAreReadBack() throws {
    for character in (0..<0x80).map({ String(Unicode.Scalar(UInt8($0))) }) + ["é", "日本", "🐦", ""] {
      for text in [character, "a" + character + "ü", character + character] {
        for quoted in [JSONText.quoted(text), self.text(.string(text))] {
          #expect(try JSONValue.parse(Array(quoted.utf8)[...]).string == text)
          #expect(!quoted.utf8.contains { $0 < 0x20 })
        }
      }
    }
    #expect(JSONText.quoted("a \"b\"\\\n\u{1}\u{1F}") == #""a \"b\"\\\n\u0001\u001f""#)
    #expect(JSONText.quoted("\r\t\u{8}\u{C}") == #""\r\t\b\f""#)
    #expect(JSONText.quoted("plain, 'as it is' / ü") == #""plain, 'as it is' / ü""#)
  }

  @Test func textsForProgramsHaveOneFormOfEscape() {
    #expect(text(.string("a\"b\\c\n\u{1}\u{1F}é😀/")) == #""a\"b\\c\u000a\u0001\u001fé😀/""#)
  }

  /// What is read back is the same float, bit by bit.
  @Test func floatsComeBack() throws {
    let floats: [Float] = [
      0, -0.0, 1, 0.1, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 16_777_216, -1e-10,
    ]
    for bytes in [JSONText.vector(floats).bytes, JSONText.array(floats.map(JSONText.float)).bytes] {
      guard case .array(let values) = try JSONValue.parse(bytes[...]) else {
        Issue.record("no list")
        return
      }
      #expect(values.map { $0.double.map { Float($0).bitPattern } } == floats.map(\.bitPattern))
    }
  }

  @Test func whatJSONLacksIsNull() {
    #expect(text(.vector([.nan, 1, .infinity])) == "[null,1.0,null]")
    #expect(text(.number(.nan)) == "null" && text(.float(-.infinity)) == "null")
    #expect(text(.optional(nil)) == "null" && text(.optional("")) == #""""#)
  }
}

import JSONCoding
import TensorCore
import Testing

/// RFC 8259 to the letter, with limits.
struct JSONReaderTests {
  private func parse(_ text: String, from origin: JSONOrigin = .file) throws(ApusError) -> JSONValue {
    try JSONValue.parse(Array(text.utf8)[...], from: origin)
  }

  private func refusal(_ text: String, from origin: JSONOrigin = .file) -> ApusError? {
    #expect(throws: ApusError.self) { try parse(text, from: origin) }
  }

  @Test func values() throws {
    #expect(try parse(" null ") == .null)
    #expect(try parse("[true, false]") == .array([.bool(true), .bool(false)]))
    #expect(try parse("{}") == .object([]))
    #expect(try parse("[]") == .array([]))
    #expect(try parse("-0.5e+3").double == -500)
    #expect(try parse("18446744073709551615") == .number("18446744073709551615"))
    #expect(try parse("9223372036854775807").int == .max)
    #expect(try parse("1e999").double == nil)
    #expect(try parse(#"{"a": 1, "b": [2]}"#)["b"] == .array([.number("2")]))
    #expect(try parse(#""a\n\"\\\/\u00e9\ud83d\ude00é""#).string == "a\n\"\\/é😀é")
  }

  @Test func valuesOfEveryKindInOneAnother() throws {
    let text = #" {"a": [null, true, false, -12.5e1, "x\n\u00e9\ud83d\ude00\/\b\f\r\t"], "b": {}} "#
    let list: JSONValue = .array([
      .null, .bool(true), .bool(false), .number("-12.5e1"), .string("x\né😀/\u{8}\u{C}\r\t"),
    ])
    let object = JSONValue.object([
      JSONValue.Member(key: "a", value: list), JSONValue.Member(key: "b", value: .object([])),
    ])
    for origin in [JSONOrigin.file, .settings, .message] { #expect(try parse(text, from: origin) == object) }
  }

  @Test(arguments: [
    "", " ", "nul", "nullx", "{", "[1", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "{a:1}", "01", "-01",
    "+1", "1.",
    ".5", "1e", "-", "NaN", "Infinity", "'a'", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\\udc00\\ud800\"", "\"\\ud800\\u0041\"", "\"\t\"", "\"a\nb\"", "[1] 2", "[] []", "// no\n1",
    "\u{FEFF}1", "\u{FEFF}[]", "{\"a\":1,\"a\":2}",
  ])
  func whatIsNotJSON(text: String) {
    #expect(refusal(text)?.kind == .configuration)
    #expect(refusal(text, from: .settings)?.kind == .argument)
    #expect(refusal(text, from: .message)?.kind == .argument)
    #expect(throws: ApusError.self) {
      var reader = JSONReader(Array(text.utf8)[...])
      try reader.skipValue()
      try reader.end()
      // A value that nobody reads may have a key twice.
      if text.contains("2}") { throw reader.error("") }
    }
  }

  @Test func errorsNameThePlace() {
    let line = "[\n  1,\n  x]"
    #expect(refusal(line)?.summary == "JSON, line 3, column 3: unexpected 'x', expected a value.")
    #expect(refusal(line, from: .settings)?.summary == "JSON, line 3, column 3: 'x', expected a value.")
    #expect(refusal(line, from: .message)?.summary == "JSON, byte 9: 'x', expected a value.")
    #expect(refusal("[1")?.summary.contains("the file ends, expected ',' or ']'") == true)
    #expect(refusal("[1", from: .message)?.summary == "JSON, byte 2: the end, expected ',' or ']'.")
    #expect(refusal(#"{"k":1,"k":2}"#)?.problem == "the key \"k\" stands here twice")
    #expect(refusal("\n\"ü\" 1")?.location == "JSON, line 2, column 5")
    #expect(refusal("\n\"ü\" 1", from: .message)?.location == "JSON, byte 6")
  }

  @Test func textMustBeUTF8() {
    let bytes: [UInt8] = [0x22, 0xFF, 0x22]
    let error = #expect(throws: ApusError.self) { try JSONValue.parse(bytes[...], from: .message) }
    #expect(error?.summary == "JSON, byte 3: text that is not UTF-8.")
  }

  @Test func depthIsLimited() throws {
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try parse(nested(64)) }
    #expect(throws: Never.self) { try parse(nested(JSONReader.maximumDepth + 1)) }
    for bomb in [
      nested(66), String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 1 << 20),
    ] {
      #expect(refusal(bomb)?.problem == "lists and objects more than 64 deep")
      #expect(throws: ApusError.self) {
        var reader = JSONReader(Array(bomb.utf8)[...])
        try reader.skipValue()
      }
    }
  }

  @Test func valuesAreCounted() throws {
    func room(_ text: String, of count: Int) throws -> Int {
      var reader = JSONReader(Array(text.utf8)[...], maximumValues: count)
      _ = try? reader.value()
      return reader.room
    }
    #expect(try room(#"[1, {"a": []}]"#, of: 4) == 0)
    #expect(try room(#"[1, {"a": []}]"#, of: 3) < 0)
    #expect(try room("[1", of: 4) == 2)
  }

  /// Files keep their numbers as they are written.
  @Test func numbersOfMessagesAreDoubles() {
    #expect(refusal("[1e999]", from: .message)?.problem == "a number over the range of doubles")
    #expect(throws: Never.self) { try parse("1e999") }
    #expect(throws: Never.self) { try parse("[1e-999, 1.7976931348623157e308]", from: .message) }
  }

  /// Keys are bytes: é in one character and in two are two keys, and a Kelvin sign is no K.
  @Test func keysThatDifferByCompositionAreTwo() throws {
    let value = try parse(#"{"\u00e9": 1, "e\u0301": 2, "K": 3, "\u212a": 4}"#)
    let keys: [ExactText] = ["\u{E9}", "e\u{301}", "K", "\u{212A}"]
    #expect(keys.map { value[$0]?.int } == [1, 2, 3, 4])
    #expect(value["E\u{301}"] == nil)
    #expect(try parse(#""\u00e9""#) != parse(#""e\u0301""#))
    #expect(refusal(#"{"e\u0301": 1, "e\u0301": 2}"#)?.problem.contains("stands here twice") == true)
  }

  @Test func valuesAreReadOneByOne() throws {
    let text = #"{"list": [true, null], "more": {"x": [{}, "a", -1.5e3, false]}, "number": 7}"#
    var reader = JSONReader(Array(text.utf8)[...])
    var found: [String] = []
    try reader.eachMember { (reader, key) throws(ApusError) in
      found.append(key.text)
      switch key {
      case "list":
        try reader.eachElement { (reader) throws(ApusError) in
          found.append(reader.null() ? "null" : "\(try reader.bool())")
        }
      case "number": found.append(try reader.digits())
      default: try reader.skipValue()
      }
    }
    try reader.end()
    #expect(found == ["list", "true", "null", "more", "number", "7"])
  }

  @Test func tablesAreReadWithoutValues() throws {
    func table(_ text: String) throws -> [(String, Int)] {
      var reader = JSONReader(Array(text.utf8)[...])
      var found: [(String, Int)] = []
      try reader.eachNumberedKey { (key, number) throws(ApusError) in
        found.append((key.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }, number))
      }
      try reader.end()
      return found
    }
    let found = try table(#" { "a" : 0 , "\u00e9" : 007, "a": 999999999999999999 } "#)
    #expect(found.map(\.0) == ["a", "é", "a"] && found.map(\.1) == [0, 7, 999_999_999_999_999_999])
    #expect(try table("{}").isEmpty)
    for text in [
      "", "[]", #"{"a"}"#, #"{"a":-1}"#, #"{"a":1.5}"#, #"{"a":1"#, #"{"a":1,}"#,
      #"{"a":1000000000000000000}"#,
    ] {
      #expect(throws: ApusError.self) { try table(text) }
    }
  }
}

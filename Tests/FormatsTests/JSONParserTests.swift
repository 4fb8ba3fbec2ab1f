import TensorCore
import Testing

@testable import Formats

/// RFC 8259 to the letter, with limits.
struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)[...]) }

  private func refusal(_ text: String) -> String {
    do {
      return "accepted as \(try parse(text))"
    } catch {
      return "\(error)"
    }
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

  @Test(arguments: [
    "", "nul", "nullx", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "{a:1}", "01", "+1", "1.", ".5", "1e",
    "-", "NaN",
    "Infinity", "'a'", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\t\"", "[1] 2",
    "// no\n1",
    "\u{FEFF}1", "{\"a\":1,\"a\":2}",
  ])
  func whatIsNotJSON(text: String) {
    #expect(throws: ApusError.self) { try parse(text) }
  }

  @Test func errorsNameThePlace() {
    #expect(refusal("[\n  1,\n  x]").contains("JSON, line 3, column 3: unexpected 'x', expected a value"))
    #expect(refusal("[1").contains("the file ends, expected ',' or ']'"))
    #expect(refusal(#"{"k":1,"k":2}"#).contains("the key \"k\" stands here twice"))
  }

  @Test func textMustBeUTF8() {
    #expect(throws: ApusError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }

  @Test func depthIsLimited() throws {
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try parse(nested(64)) }
    #expect(refusal(nested(66)).contains("more than 64 deep"))
    #expect(refusal(String(repeating: "[", count: 1_000_000)).contains("more than 64 deep"))
  }

  /// Keys are bytes: é in one character and in two are two keys, and a Kelvin sign is no K.
  @Test func keysThatDifferByCompositionAreTwo() throws {
    let value = try parse(#"{"\u00e9": 1, "e\u0301": 2, "K": 3, "\u212a": 4}"#)
    let keys: [ExactText] = ["\u{E9}", "e\u{301}", "K", "\u{212A}"]
    #expect(keys.map { value[$0]?.int } == [1, 2, 3, 4])
    #expect(value["E\u{301}"] == nil)
    #expect(try parse(#""\u00e9""#) != parse(#""e\u0301""#))
    #expect(refusal(#"{"e\u0301": 1, "e\u0301": 2}"#).contains("stands here twice"))
  }
}

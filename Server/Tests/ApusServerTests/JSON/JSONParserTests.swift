@testable import ApusServer
import InferenceProtocol
import Testing

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test func valuesOfEveryKind() throws {
    #expect(
      try parse(#" {"a": [null, true, false, -12.5e1, "x\n\u00e9\ud83d\ude00\/"], "b": {}} "#)
        == .object([
          "a": .array([.null, .bool(true), .bool(false), .number(-125), .string("x\né😀/")]),
          "b": .object([:]),
        ]))
    #expect(try parse("[]") == .array([]))
  }

  /// Keys are bytes: é in one character and in two are two keys, and a Kelvin sign is no K.
  @Test func keysThatDifferByCompositionAreTwo() throws {
    let value = try parse(#"{"\u00e9": 1, "e\u0301": 2, "K": 3, "\u212a": 4}"#)
    #expect(["\u{E9}", "e\u{301}", "K", "\u{212A}"].map { value[$0]?.whole } == [1, 2, 3, 4])
    #expect { try parse(#"{"e\u0301": 1, "e\u0301": 2}"#) } throws: { ($0 as? RequestFault)?.kind == .syntax }
    let fields = try RequestFields(whole: value, called: "body")
    #expect(throws: RequestFault.self) { try fields.refuseAll(but: ["\u{E9}", "K", "\u{212A}"]) }
    try fields.refuseAll(but: ["\u{E9}", "e\u{301}", "K", "\u{212A}"])
  }

  /// Numbers are those that the standard library reads, whichever way they are computed.
  @Test(arguments: [
    "0", "-0", "1", "0.1", "123456789.125", "9007199254740992", "9007199254740993", "12345678901234567890",
    "1e22", "1e23", "1E-22", "5e-324", "1.7976931348623157e308", "0.000001", "3.4028234e38", "1e+2",
    "0.30000000000000004", "1e-400", "123456789012345678e-20",
  ])
  func numbersAreExact(_ text: String) throws {
    #expect(try parse(text) == .number(try #require(Double(text))))
  }

  @Test func wholeNumbersMayBeWrittenWithAPoint() throws {
    #expect(try parse("5.0").whole == 5)
    #expect(try parse("5.5").whole == nil)
    #expect(try parse("1e300").whole == nil)
    #expect(try parse("\"5\"").whole == nil)
  }

  @Test(arguments: [
    "", " ", "{", "[1", "[1,]", #"{"a":1,}"#, #"{"a" 1}"#, "{a:1}", "nul", "NaN", "Infinity", "01", "1.",
    ".5", "1e",
    "+1", "-", "1e999", "'a'", "\"a", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
    "\"\\u12\"",
    "\"a\nb\"", "[] []", #"{"a":1,"a":2}"#, "\u{FEFF}[]",
  ])
  func whatIsNoJSONIsRefused(_ text: String) {
    #expect { try parse(text) } throws: { ($0 as? RequestFault)?.kind == .syntax }
  }

  @Test func bytesThatAreNoUTF8AreRefused() {
    #expect(throws: RequestFault(.syntax, "JSON, byte 3: text that is not UTF-8.")) {
      try JSONParser.parse([0x22, 0xFF, 0x22])
    }
  }

  @Test func depthAndCountHaveLimits() {
    let depth = JSONReader.maximumDepth
    #expect(throws: Never.self) {
      try parse(String(repeating: "[", count: depth + 1) + String(repeating: "]", count: depth + 1))
    }
    for bomb in [String(repeating: "[", count: 1 << 20), String(repeating: #"{"a":"#, count: 1 << 20)] {
      #expect { try parse(bomb) } throws: { ($0 as? RequestFault)?.kind == .syntax }
    }
    let many = "[" + String(repeating: "1,", count: JSONParser.maximumValues) + "1]"
    #expect { try parse(many) } throws: { ($0 as? RequestFault)?.kind == .tooLarge }
  }

  @Test func errorsSayWhere() {
    #expect(throws: RequestFault(.syntax, "JSON, byte 8: ']'; expected a value.")) {
      try parse(#"{"a":[1,]}"#)
    }
  }
}

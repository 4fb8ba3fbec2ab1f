@testable import ApusServer
import Testing

/// What the parser of JSON itself takes and refuses, its own tests state.
@Suite struct JSONBodyTests {
  private func parse(_ text: String) throws(RequestFault) -> JSONValue {
    try JSONValue.parse(body: Array(text.utf8))
  }

  @Test func valuesOfEveryKind() throws {
    let fields = try RequestFields(
      body: Array(#" {"a": [null, true, -12.5e1, "x\n\u00e9\ud83d\ude00\/"], "b": {}, "c": null} "#.utf8))
    #expect(fields["a"] == .array([.null, .bool(true), .number("-12.5e1"), .string("x\né😀/")]))
    #expect(fields["b"] == .object([]) && fields["c"] == nil)
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

  @Test func wholeNumbersMayBeWrittenWithAPoint() throws {
    #expect(try parse("5.0").whole == 5)
    #expect(try parse("5.5").whole == nil)
    #expect(try parse("1e300").whole == nil)
    #expect(try parse("\"5\"").whole == nil)
    #expect(try parse("5.0").description == "the number 5" && parse("5.50").description == "the number 5.5")
  }

  @Test func floatsHaveARange() throws {
    #expect(try parse("3.4028234e38").float == .greatestFiniteMagnitude)
    #expect(try parse("1e39").float == nil && parse("\"1\"").float == nil)
  }

  @Test(arguments: ["", "[1,]", "nul", "01", "1e999", "\"a\nb\"", "[] []", #"{"a":1,"a":2}"#, "\u{FEFF}[]"])
  func whatIsNoJSONIsRefused(_ text: String) {
    #expect { try parse(text) } throws: { ($0 as? RequestFault)?.kind == .syntax }
  }

  @Test func depthAndCountHaveLimits() {
    for bomb in [String(repeating: "[", count: 1 << 20), String(repeating: #"{"a":"#, count: 1 << 20)] {
      #expect { try parse(bomb) } throws: { ($0 as? RequestFault)?.kind == .syntax }
    }
    let many = "[" + String(repeating: "1,", count: JSONValue.maximumCount) + "1]"
    #expect(throws: RequestFault(.tooLarge, "The body holds more than 1048576 values.")) { try parse(many) }
  }

  @Test func errorsSayWhere() {
    #expect(throws: RequestFault(.syntax, "JSON, byte 8: ']'; expected a value.")) {
      try parse(#"{"a":[1,]}"#)
    }
    #expect(throws: RequestFault(.syntax, "JSON, byte 3: text that is not UTF-8.")) {
      try JSONValue.parse(body: [0x22, 0xFF, 0x22])
    }
    #expect(throws: RequestFault(.syntax, "JSON, line 2, column 5: '1'; expected the end.")) {
      try JSONValue.parse(body: Array("\n\"ü\" 1".utf8), from: .settings)
    }
  }
}

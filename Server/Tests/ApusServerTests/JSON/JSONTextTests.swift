@testable import ApusServer
import Testing

@Suite struct JSONTextTests {
  private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }

  @Test func keysStayInOrder() {
    let json: JSONText = ["z": 1, "a": [nil, true, "x"], "m": ["b": .number(0.5)], "e": [:], "l": []]
    #expect(text(json) == #"{"z":1,"a":[null,true,"x"],"m":{"b":0.5},"e":{},"l":[]}"#)
  }

  @Test func textsAreEscaped() {
    #expect(text(.string("a\"b\\c\n\u{1}é😀/")) == #""a\"b\\c\u000a\u0001é😀/""#)
  }

  /// What is read back is the same float, bit by bit.
  @Test func floatsComeBack() throws {
    let floats: [Float] = [
      0, -0.0, 1, 0.1, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 16_777_216, -1e-10,
    ]
    let read = try JSONParser.parse(JSONText.vector(floats).bytes)
    guard case .array(let values) = read else { throw RequestFault.empty("vector") }
    let numbers = values.map {
      if case .number(let number) = $0 { Float(number).bitPattern } else { UInt32.max }
    }
    #expect(numbers == floats.map(\.bitPattern))
  }

  @Test func whatJSONLacksIsNull() {
    #expect(text(.vector([.nan, 1, .infinity])) == "[null,1.0,null]")
    #expect(text(.number(.nan)) == "null")
  }
}

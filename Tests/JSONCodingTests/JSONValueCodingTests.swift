import FoundationEssentials
import JSONCoding
import TensorCore
import Testing

/// Values through Foundation's coders.
@Suite struct JSONValueCodingTests {
  @Test(arguments: [
    "null", "true", "-7", "9223372036854775807", "18446744073709551615", "0.1", "-2.5e-300", #""a \u00e9\n""#,
    "[]", "[1,[true,null],\"x\"]", "{}", #"{"b":{"c":[0.5]},"a":"1"}"#,
  ])
  func aValueComesBack(_ text: String) throws {
    let value = try JSONValue.parse(Array(text.utf8)[...])
    #expect(sorted(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) == sorted(value))
    let coded = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([JSONValue].self, from: coded).map(sorted) == [sorted(value)])
  }

  @Test func aNumberBeyondDoublesIsRefused() {
    #expect(throws: ApusError.self) { try JSONEncoder().encode([JSONValue.number("1e999")]) }
  }

  /// Foundation keeps no order of keys.
  private func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.map { JSONValue.Member(key: $0.key, value: sorted($0.value)) }.sorted { $0.key < $1.key })
    case .array(let values): .array(values.map(sorted))
    default: value
    }
  }
}

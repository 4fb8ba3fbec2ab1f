import Apus
import CApus
import FoundationEssentials
import JSONCoding

extension JSONText {
  /// What a value encodes, with keys in snake_case; nil for one that cannot be JSON.
  init?(encoding value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value), let parsed = try? JSONValue.parse(Array(data)[...]) else {
      return nil
    }
    self.init(parsed)
  }

  /// A value that was read.
  init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .number(let digits): Int(digits).map { .integer($0) } ?? .number(Double(digits) ?? .nan)
      case .string(let text): .string(text.text)
      case .array(let values): .array(values.map { JSONText($0) })
      case .object(let members): .object(members.map { ($0.key.text, JSONText($0.value)) })
      }
  }

  static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

  static func integers(_ numbers: [Int]) -> JSONText { .array(numbers.map { .integer($0) }) }
}

extension Duration {
  /// Milliseconds.
  var json: JSONText {
    let (seconds, attoseconds) = components
    return .number(Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
  }
}

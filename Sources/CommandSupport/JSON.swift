import Formats
import FoundationEssentials
import TensorCore

/// A JSON value to be written on one line, keys in the order given.
package enum JSON {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case float(Float)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// The value as JSON text. Numbers have the fewest digits that give them back; JSON knows no NaN and no
  /// infinity, so those are null.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .float(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): JSONText.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { JSONText.quoted($0.0) + ": " + $0.1.text }.joined(separator: ", ") + "}"
    }
  }

  package static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }

  /// The members that say which file is meant: its name, and its bytes in base64 where they are no UTF-8.
  package static func file(_ path: String, as key: String = "file") -> [(String, JSON)] {
    let name = (key, JSON.string(FileName.readable(path)))
    guard FileName.isEscaped(path) else { return [name] }
    return [name, (key + "_base64", .string(Data(FileName.bytes(path)).base64EncodedString()))]
  }

  /// The member that says which Apus made a record.
  package static var madeBy: (String, JSON) { ("apus", .string(ApusVersion.current)) }
}

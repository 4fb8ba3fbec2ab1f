import Formats
import FoundationEssentials
import TensorCore

/// A JSON value to be written on one line, keys in the order given, in snake_case.
package enum JSON {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case float(Float)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// What no release has printed: the keys within had no other names.
  indirect case new(JSON)

  /// The value as JSON text. Numbers have the fewest digits that give them back; JSON knows no NaN and no
  /// infinity, so those are null.
  package var text: String { text(.now) }

  /// The same of a command that printed other keys before: they stand beside those of now (``FormerKeys``).
  package var textWithFormerKeys: String { text(.both) }

  /// What keys are called that had another name.
  private enum Spelling { case now, formerly, both }

  private func text(_ spelling: Spelling) -> String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .float(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): JSONText.quoted(value)
    case .array(let values): "[" + values.map { $0.text(spelling) }.joined(separator: ", ") + "]"
    case .new(let value): value.text(.now)
    case .object(let members):
      "{" + members.flatMap { Self.member($0.0, $0.1, spelling) }.joined(separator: ", ") + "}"
    }
  }

  /// A member under its key, its former key, or both.
  private static func member(_ key: String, _ value: JSON, _ spelling: Spelling) -> [String] {
    func text(_ key: String, _ spelling: Spelling) -> String {
      JSONText.quoted(key) + ": " + value.text(spelling)
    }
    guard let former = FormerKeys.names[key] else { return [text(key, spelling)] }
    return switch spelling {
    case .now: [text(key, .now)]
    case .formerly: [text(former, .formerly)]
    case .both: [text(key, .now), text(former, .formerly)]
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

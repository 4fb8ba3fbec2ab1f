import FoundationEssentials
import JSONCoding
import TensorCore

/// A JSON value to be written on one line, keys in the order given, in snake_case.
package enum JSON {
  /// A member of an object.
  package typealias Member = (key: String, value: JSON)

  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case float(Float)
  case string(String)
  case array([JSON])
  case integers([Int32])
  /// So many elements, each of which is made when it is written.
  case list(Int, (Int) -> JSON)
  case object([Member])
  /// What no release has printed: the keys within had no other names.
  indirect case new(JSON)

  /// The value as JSON text. Numbers have the fewest digits that give them back; JSON knows no NaN and no
  /// infinity, so those are null.
  package var text: String { text() }

  /// - Parameter former: whether keys that a command printed before stand beside those of now (``FormerKeys``).
  package func text(withFormerKeys former: Bool = false) -> String {
    var text = ""
    write(withFormerKeys: former) { text += $0 }
    return text
  }

  /// Hands out the text in parts, of which the longest has some 64 KiB.
  package func write(withFormerKeys former: Bool = false, to output: (String) -> Void) {
    write(former ? .both : .now, to: output)
  }

  /// What keys are called that had another name.
  private enum Spelling { case now, formerly, both }

  private func write(_ spelling: Spelling, to output: (String) -> Void) {
    switch self {
    case .null: output("null")
    case .bool(let value): output("\(value)")
    case .integer(let value): output("\(value)")
    case .number(let value): output(value.isFinite ? "\(value)" : "null")
    case .float(let value): output(value.isFinite ? "\(value)" : "null")
    case .string(let value): Self.write(value, to: output)
    case .array(let values): Self.write(values.count, { values[$0] }, spelling, to: output)
    case .integers(let values): Self.write(values, to: output)
    case .list(let count, let element): Self.write(count, element, spelling, to: output)
    case .new(let value): value.write(.now, to: output)
    case .object(let members): Self.write(members, spelling, to: output)
    }
  }

  /// Bytes of a part of a text, and integers of a part of a list.
  private static let (textLength, listLength) = (1 << 16, 1 << 13)

  private static func write(_ text: String, to output: (String) -> Void) {
    guard text.utf8.count > textLength else { return output(JSONText.quoted(text)) }
    output("\"")
    for part in text.parts(ofLength: textLength) { output(inside(JSONText.quoted(String(part)))) }
    output("\"")
  }

  private static func write(_ integers: [Int32], to output: (String) -> Void) {
    guard integers.count > listLength else { return output(JSONText.list(integers)) }
    output("[")
    for start in stride(from: 0, to: integers.count, by: listLength) {
      if start > 0 { output(", ") }
      output(inside(JSONText.list(Array(integers[start...].prefix(listLength)))))
    }
    output("]")
  }

  /// What stands between quotes or brackets.
  private static func inside(_ text: String) -> String {
    String(text.unicodeScalars.dropFirst().dropLast())
  }

  private static func write(
    _ count: Int, _ element: (Int) -> JSON, _ spelling: Spelling, to output: (String) -> Void
  ) {
    output("[")
    for position in 0..<count {
      if position > 0 { output(", ") }
      element(position).write(spelling, to: output)
    }
    output("]")
  }

  /// Members under their keys, their former keys, or both.
  private static func write(
    _ members: [Member], _ spelling: Spelling, to output: (String) -> Void
  ) {
    output("{")
    var isFirst = true
    for (key, value) in members {
      for (name, spelling) in names(of: key, spelling) {
        if !isFirst { output(", ") }
        isFirst = false
        output(JSONText.quoted(name) + ": ")
        value.write(spelling, to: output)
      }
    }
    output("}")
  }

  /// What a key is called, and what the keys below it are.
  private static func names(of key: String, _ spelling: Spelling) -> [(String, Spelling)] {
    guard let former = FormerKeys.names[key] else { return [(key, spelling)] }
    return switch spelling {
    case .now: [(key, .now)]
    case .formerly: [(former, .formerly)]
    case .both: [(key, .now), (former, .formerly)]
    }
  }

  /// A string, or null.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  package static func strings(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }

  /// The members that say which file is meant: its name, and its bytes in base64 where they are no UTF-8.
  package static func file(_ path: String, as key: String = "file") -> [Member] {
    let name = (key: key, value: JSON.string(FileName.readable(path)))
    guard FileName.isEscaped(path) else { return [name] }
    return [name, (key + "_base64", .string(Data(FileName.bytes(path)).base64EncodedString()))]
  }

  /// The member that says which Apus made a record.
  package static var madeBy: Member { ("apus", .string(ApusVersion.current)) }
}

import FoundationEssentials
import JSONCoding
import TensorCore

/// The JSON that commands print: one line, keys in the given order, in snake_case.
package typealias JSON = JSONText

extension JSONText {
  /// - Parameter former: whether former keys stand beside the present ones (``FormerKeys``).
  package func text(withFormerKeys former: Bool = false) -> String {
    var text = ""
    write(withFormerKeys: former) { text += $0 }
    return text
  }

  /// Hands out the text in parts.
  package func write(withFormerKeys former: Bool, to output: (String) -> Void) {
    write(former ? FormerKeys.both : nil, to: output)
  }

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

import JSONCoding
import TensorCore

/// Why JSON is none of a type's options: a key that it has not, or a value that cannot be.
public enum SettingFault: Error, Sendable {
  /// A key that is none of the options.
  /// - known: those that are.
  case unknown(key: String, known: [String])
  /// A value of another kind, or out of its range.
  /// - key: the setting, with the place in it: `templates[0]`.
  case unexpected(JSONValue, key: String, expected: String)
}

extension ApusError {
  /// The fault for a caller: of kind `argument`, with the key.
  package init(_ fault: SettingFault) {
    switch fault {
    case .unknown(let key, let known):
      self.init(
        .argument, "'\(key.clipped)' is no option here", expected: "one of \(known.joined(separator: ", "))")
    case .unexpected(let value, let key, let expected):
      self.init(.argument, "'\(key)' is \(value.kind)", expected: expected)
    }
  }
}

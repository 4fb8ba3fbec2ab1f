import JSONCoding
import TensorCore

/// Keys of a configuration that change no result of Apus, whatever their value, and why.
package struct KeysWithoutEffect: Sendable {
  /// Why, as a part of a sentence: "training".
  package let reason: String
  package let keys: Set<ExactText>

  package init(_ reason: String, _ keys: Set<ExactText>) {
    self.reason = reason
    self.keys = keys
  }
}

extension ConfigurationReader {
  /// States keys that change no result. The lists stand in the code that reads the others.
  package func passOver(_ groups: [KeysWithoutEffect]) {
    for group in groups { use.passOver(group.keys, group.reason) }
  }

  /// States that the other keys of this object are not for the one who reads it.
  /// - Parameter reason: whose they are, or why they change nothing.
  package func passOverRest(_ reason: String) { use.passOver(Set(keys.map { ExactText($0) }), reason) }

  /// Passes over the keys of this object that nothing has asked for, where they say nothing: false, and an empty text,
  /// list or object.
  /// - Returns: those keys, sorted.
  package func passOverEmptyKeys() -> [String] {
    let empty = keys.filter { !use.covers($0) && stated($0)?.saysNothing == true }
    use.passOver(Set(empty.map { ExactText($0) }), "it says nothing")
    return empty
  }

  /// Refuses keys, here and in all objects that were read within, that nothing has asked for and nothing has passed
  /// over: they may change the result.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that lists them.
  package func requireAllRead() throws(ApusError) {
    let unread = keys.filter { stated($0) != nil && !use.covers($0) }
    guard unread.isEmpty else {
      let list = unread.prefix(10).map { "'\($0.clipped)'" }.joined(separator: ", ")
      throw ApusError(
        .unsupportedModel, unread.count == 1 ? "the unknown key \(list)" : "the unknown keys \(list)",
        expected: "only keys whose effect is known", at: path.isEmpty ? nil : path, file: file,
        advice: "A key that changes nothing can be taken out of the file.")
    }
    for part in use.parts { try part.requireAllRead() }
  }
}

extension JSONValue {
  fileprivate var saysNothing: Bool {
    switch self {
    case .null, .bool(false): true
    case .string(let text): text.isEmpty
    case .array(let values): values.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

import Synchronization
import TensorCore

extension ConfigurationReader {
  /// An error about the value of a key, for rules beyond those of the accessors.
  package func unexpected(
    _ key: String, _ value: JSONValue?, _ expected: String, kind: ApusError.Kind = .configuration,
    advice: String? = nil
  ) -> ApusError {
    ApusError(
      kind, value.map { "is \($0.kind)" } ?? "is missing", expected: expected, at: place(key), file: file,
      advice: advice)
  }

  /// Refuses values that would change the result in a way that is not implemented.
  /// - Parameter allowed: the values that do not; a missing key, or null, is always allowed.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names key, value and the allowed ones.
  package func require(_ key: String, isOneOf allowed: JSONValue...) throws(ApusError) {
    guard let value = value(key), !allowed.contains(where: { $0.means(value) }) else { return }
    throw unexpected(
      key, value, allowed.map(\.text).joined(separator: " or "), kind: .unsupportedModel)
  }

  /// Keys that nothing has asked for yet, sorted.
  package var unreadKeys: [String] { keys.filter { !wasRead($0) } }

  /// Refuses keys that nothing has asked for: they may change the result.
  /// - Parameter known: keys that do not, whatever their value.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that lists them.
  package func requireAllRead(except known: Set<String> = []) throws(ApusError) {
    let unread = unreadKeys.filter { !known.contains($0) && has($0) }
    guard !unread.isEmpty else { return }
    let list = unread.prefix(10).map { "'\($0.clipped)'" }.joined(separator: ", ")
    throw ApusError(
      .unsupportedModel, "unknown keys \(list), which may change the result",
      at: path.isEmpty ? nil : path, file: file)
  }
}

/// The keys of a configuration that something has asked for.
final class ReadKeys: Sendable {
  private let keys = Mutex<Set<String>>([])

  func insert(_ key: String) { keys.withLock { _ = $0.insert(key) } }
  func contains(_ key: String) -> Bool { keys.withLock { $0.contains(key) } }
}

extension JSONValue {
  /// Whether two values mean the same: numbers by their value, whatever their digits.
  func means(_ other: JSONValue) -> Bool {
    if let a = double, let b = other.double { return a == b }
    return self == other
  }

  /// The value as JSON, for errors; long ones shortened.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let digits): digits.clipped
    case .string(let text): "\"\(text.clipped)\""
    case .array(let values): "[\(values.prefix(8).map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.prefix(8).map { "\"\($0.key.clipped)\": \($0.value.text)" }.joined(separator: ", "))}"
    }
  }
}

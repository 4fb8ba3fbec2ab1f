import JSONCoding
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
    let values = allowed.map(\.text).joined(separator: " or ")
    use.restrict(key, to: values)
    guard let value = value(key), !allowed.contains(where: { $0.means(value) }) else { return }
    throw unexpected(key, value, values, kind: .unsupportedModel)
  }
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

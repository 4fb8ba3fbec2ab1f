import TensorCore

/// A JSON value as it stands in a file: object keys in order, numbers as written.
public enum JSONValue: Sendable, Equatable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// The digits of the file, so that integers of 64 bits lose nothing.
  case number(String)
  /// A text, by its bytes.
  case string(ExactText)
  /// A list.
  case array([JSONValue])
  /// Keys in the order of the file; none twice.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Equatable {
    /// Its key, by its bytes.
    public let key: ExactText
    /// Its value.
    public let value: JSONValue

    /// A member.
    public init(key: ExactText, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value that the bytes hold, and nothing behind it.
  /// - Parameter origin: what they are, for errors.
  /// - Throws: ``ApusError`` that names the place.
  public static func parse(
    _ bytes: ArraySlice<UInt8>, from origin: JSONOrigin = .file
  ) throws(ApusError) -> JSONValue {
    var reader = JSONReader(bytes, from: origin)
    let value = try reader.value()
    try reader.end()
    return value
  }

  /// The kind of value, for errors.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): "the number \(text.clipped)"
    case .string(let text): "the text \"\(text.clipped)\""
    case .array(let values): "a list of \(values.count)"
    case .object: "an object"
    }
  }

  /// The value of a key; nil when there is none, or this is no object.
  public subscript(key: ExactText) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text; nil where it is none.
  public var string: String? {
    if case .string(let text) = self { text.text } else { nil }
  }

  /// The number if it is a whole one of 64 bits, written without fraction or exponent.
  public var int: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// The number, or nil when this is none, or it is over the range of a double.
  public var double: Double? {
    guard case .number(let text) = self, let value = JSONNumber.double(text), value.isFinite else {
      return nil
    }
    return value
  }
}

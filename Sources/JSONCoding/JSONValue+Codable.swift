import TensorCore

/// Other codings than JSON's own, such as Foundation's `JSONDecoder`: what a decoder has becomes a value.
extension JSONValue: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: ExactText) { stringValue = key.text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The value that a decoder has. Of a number that is not whole it has the digits that a `Double` gives back.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try container.allKeys.map {
          Member(key: ExactText($0.stringValue), value: try container.decode(JSONValue.self, forKey: $0))
        })
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      self = try JSONValue(single: decoder.singleValueContainer())
    }
  }

  private init(single container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number("\(number)")
    } else if let number = try? container.decode(UInt64.self) {
      self = .number("\(number)")
    } else if let number = try? container.decode(Double.self), number.isFinite {
      self = .number("\(number)")
    } else {
      self = .string(ExactText(try container.decode(String.self)))
    }
  }

  /// Encodes the value: whole numbers of 64 bits with all their digits, others as a `Double`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members { try container.encode(member.value, forKey: Key(member.key)) }
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text.text)
    case .number(let digits):
      var container = encoder.singleValueContainer()
      if let whole = Int64(digits) {
        try container.encode(whole)
      } else if let whole = UInt64(digits) {
        try container.encode(whole)
      } else if let double {
        try container.encode(double)
      } else {
        throw ApusError(.argument, "the number \(digits.clipped)", expected: "one in the range of doubles")
      }
    }
  }
}

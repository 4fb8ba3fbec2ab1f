import Apus
import JSONCoding

/// Parameters of a request, an input or an output, by name.
public typealias InferenceParameters = [String: InferenceParameter]

/// The value of a parameter.
public enum InferenceParameter: Sendable, Hashable {
  /// True or false.
  case bool(Bool)
  /// A number without a fraction.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case text(String)
}

extension InferenceParameters {
  /// The truth value of that name; nil when there is none.
  /// - Throws: ``ApusError`` when the parameter is something else.
  public func bool(_ name: String) throws(ApusError) -> Bool? {
    switch self[name] {
    case nil: return nil
    case .bool(let value): return value
    default: throw ApusError(.argument, "parameter '\(name)' is not true or false")
    }
  }

  /// The whole number of that name; nil when there is none.
  /// - Throws: ``ApusError`` when the parameter is something else.
  public func integer(_ name: String) throws(ApusError) -> Int? {
    switch self[name] {
    case nil: return nil
    case .integer(let value): return Int(value)
    default: throw ApusError(.argument, "parameter '\(name)' is not a whole number")
    }
  }

  /// The text of that name; nil when there is none.
  /// - Throws: ``ApusError`` when the parameter is something else.
  public func text(_ name: String) throws(ApusError) -> String? {
    switch self[name] {
    case nil: return nil
    case .text(let value): return value
    default: throw ApusError(.argument, "parameter '\(name)' is not a text")
    }
  }
}

extension JSONReader {
  /// Parameters; those that are lists, objects or null mean nothing to anyone here, and are passed over.
  mutating func parameters() throws(ApusError) -> InferenceParameters {
    var parameters: InferenceParameters = [:]
    try eachMember { (reader, name) throws(ApusError) in
      parameters[name.text] = try reader.parameter()
    }
    return parameters
  }

  private mutating func parameter() throws(ApusError) -> InferenceParameter? {
    switch next {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      let start = position
      if let number = try integer(Int64.self) { return .integer(number) }
      position = start
      return .number(try double())
    default:
      try skipValue()
      return nil
    }
  }
}

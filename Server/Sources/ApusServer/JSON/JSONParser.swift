import Apus
import InferenceProtocol

/// Makes values of a body's JSON, which is read as strictly as elsewhere: UTF-8 only, no key twice, nothing behind the value,
/// and limits on what a body may make of memory.
///
/// Foundation's decoder takes 0.4 ms for the 1152 numbers of a picture's embedding, more than all else that answering
/// takes.
package struct JSONParser {
  /// Values in a body, at most: each takes many times the memory of its two bytes.
  static let maximumValues = 1 << 20

  private var room = Self.maximumValues

  /// The value that the bytes hold.
  /// - Parameters:
  ///   - what: what they are, for errors.
  ///   - isOfLines: whether people write it, who find a place by its line.
  package static func parse(
    _ bytes: [UInt8], called what: String = "body", isOfLines: Bool = false
  ) throws(RequestFault) -> JSONValue {
    var parser = JSONParser()
    var reader = JSONReader(bytes[...])
    do throws(InferenceProtocolError) {
      let value = try parser.value(from: &reader, depth: 0)
      try reader.end()
      return value
    } catch {
      guard parser.room >= 0 else {
        throw RequestFault(.tooLarge, "The \(what) holds more than \(maximumValues) values.")
      }
      let byte = "byte \(reader.position)"
      let text =
        isOfLines
        ? error.description.replacing(byte, with: place(of: reader.position, in: bytes), maxReplacements: 1)
        : error.description
      throw RequestFault(.syntax, "\(text).")
    }
  }

  /// The line and the column, which is counted in characters, both from 1.
  private static func place(of position: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(position)
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return "line \(line), column \(String(decoding: before[start...], as: UTF8.self).count + 1)"
  }

  private mutating func value(
    from reader: inout JSONReader, depth: Int
  ) throws(InferenceProtocolError) -> JSONValue {
    guard depth <= JSONReader.maximumDepth else {
      throw reader.error("lists and objects more than \(JSONReader.maximumDepth) deep")
    }
    room -= 1
    guard room >= 0 else { throw reader.error("too many values") }
    guard let first = reader.next else { throw reader.unexpected("a value") }
    switch first {
    case UInt8(ascii: "{"):
      var members: [ExactText: JSONValue] = [:]
      try reader.eachMember { (reader, key) throws(InferenceProtocolError) in
        members[ExactText(key)] = try value(from: &reader, depth: depth + 1)
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try reader.eachElement { (reader) throws(InferenceProtocolError) in
        values.append(try value(from: &reader, depth: depth + 1))
      }
      return .array(values)
    case UInt8(ascii: "\""): return .string(try reader.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
    case UInt8(ascii: "n"):
      try reader.skipValue()
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try reader.number().double
      guard number.isFinite else { throw reader.error("a number over the range of doubles") }
      return .number(number)
    default: throw reader.unexpected("a value")
    }
  }
}

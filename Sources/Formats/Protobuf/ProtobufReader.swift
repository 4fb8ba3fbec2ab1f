import TensorCore

/// Reads the fields of a protocol buffers message, refusing what the format does not allow.
///
/// See the encoding reference of protocol buffers: a field is a varint key (number << 3 | wire type) and a
/// payload of that wire type.
package struct ProtobufReader {
  /// The payload of a field.
  package enum Payload {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  package struct Field {
    package let number: Int
    package let payload: Payload
    /// Where the field begins, in bytes from the start of the file.
    package let offset: Int
  }

  private var rest: ArraySlice<UInt8>

  /// - Parameter message: its indices are offsets in the file.
  package init(_ message: ArraySlice<UInt8>) {
    rest = message
  }

  /// The next field; nil at the end of the message.
  package mutating func next() throws(ApusError) -> Field? {
    guard !rest.isEmpty else { return nil }
    let offset = rest.startIndex
    let key = try varint()
    let number = key >> 3
    guard number > 0, number < 1 << 29 else {
      throw Self.malformed("the field number is \(number)", "1 to 536870911", offset)
    }
    return Field(number: Int(number), payload: try payload(wireType: Int(key & 7)), offset: offset)
  }

  private mutating func payload(wireType: Int) throws(ApusError) -> Payload {
    let offset = rest.startIndex
    switch wireType {
    case 0: return .varint(try varint())
    case 1: return .fixed64(try fixed(8))
    case 2:
      let length = try varint()
      guard length <= UInt64(rest.count) else {
        throw Self.malformed("a field of \(length) bytes", "at most the \(rest.count) that are left", offset)
      }
      return .bytes(take(Int(length)))
    case 5: return .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
    case 3, 4: throw Self.malformed("a group", "no groups, which this format does not use", offset)
    default: throw Self.malformed("the wire type is \(wireType)", "0, 1, 2 or 5", offset)
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let end = rest.startIndex + count
    let taken = rest[..<end]
    rest = rest[end...]
    return taken
  }

  /// A number in base 128, least significant digit first, of at most 64 bits: ten bytes.
  private mutating func varint() throws(ApusError) -> UInt64 {
    let offset = rest.startIndex
    // Most numbers are of one byte.
    if offset < rest.endIndex, rest[offset] < 0x80 { return UInt64(take(1)[offset]) }
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else {
        throw Self.malformed("the file ends inside a number", nil, offset)
      }
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw Self.malformed("a number of over 64 bits", nil, offset)
  }

  /// A little-endian number of `count` bytes.
  private mutating func fixed(_ count: Int) throws(ApusError) -> UInt64 {
    guard rest.count >= count else {
      throw Self.malformed("the file ends inside a number", nil, rest.startIndex)
    }
    var value: UInt64 = 0
    for (index, byte) in take(count).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    return value
  }

  package static func malformed(_ problem: String, _ expected: String?, _ offset: Int) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: "byte \(offset)")
  }
}

extension ProtobufReader.Field {
  /// The payload as bytes of a string or a nested message.
  package func bytes() throws(ApusError) -> ArraySlice<UInt8> {
    guard case .bytes(let bytes) = payload else { throw wrongType("bytes") }
    return bytes
  }

  /// The payload as a signed 32-bit number or a case of an enumeration.
  package func int32() throws(ApusError) -> Int32 {
    guard case .varint(let value) = payload else { throw wrongType("a varint") }
    return Int32(truncatingIfNeeded: value)
  }

  package func bool() throws(ApusError) -> Bool {
    guard case .varint(let value) = payload else { throw wrongType("a varint") }
    return value != 0
  }

  package func float() throws(ApusError) -> Float {
    guard case .fixed32(let bits) = payload else { throw wrongType("a 32-bit number") }
    return Float(bitPattern: bits)
  }

  private func wrongType(_ expected: String) -> ApusError {
    let found =
      switch payload {
      case .varint: "a varint"
      case .fixed64: "a 64-bit number"
      case .bytes: "bytes"
      case .fixed32: "a 32-bit number"
      }
    return ProtobufReader.malformed("field \(number) is \(found)", expected, offset)
  }
}

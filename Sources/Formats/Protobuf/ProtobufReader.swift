import TensorCore

/// Reads the fields of a protocol buffers message, refusing what the format does not allow.
///
/// See the encoding reference of protocol buffers: a field is a varint key (number << 3 | wire type) and a
/// payload of that wire type. Generic, so that a file that is mapped is not copied; what reads it is specialised for the bytes
/// of its caller.
package struct ProtobufReader<Bytes: RandomAccessCollection>
where Bytes.Element == UInt8, Bytes.Index == Int, Bytes.SubSequence == Bytes {
  /// The payload of a field.
  package enum Payload {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(Bytes)
    case fixed32(UInt32)
  }

  package struct Field {
    package let number: Int
    package let payload: Payload
    /// Where the field begins, in bytes from the start of the file.
    package let offset: Int

    @inlinable package init(number: Int, payload: Payload, offset: Int) {
      (self.number, self.payload, self.offset) = (number, payload, offset)
    }
  }

  @usableFromInline var rest: Bytes

  /// - Parameter message: its indices are offsets in the file.
  @inlinable package init(_ message: Bytes) {
    rest = message
  }

  /// The next field; nil at the end of the message.
  @inlinable package mutating func next() throws(ApusError) -> Field? {
    guard !rest.isEmpty else { return nil }
    let offset = rest.startIndex
    let key = try varint()
    let number = key >> 3
    guard number > 0, number < 1 << 29 else {
      throw ApusError.malformedMessage("the field number is \(number)", "1 to 536870911", offset)
    }
    return Field(number: Int(number), payload: try payload(wireType: Int(key & 7)), offset: offset)
  }

  /// The next number of a packed field, whose payload the message is; nil at its end.
  @inlinable package mutating func nextVarint() throws(ApusError) -> UInt64? {
    rest.isEmpty ? nil : try varint()
  }

  @inlinable mutating func payload(wireType: Int) throws(ApusError) -> Payload {
    let offset = rest.startIndex
    switch wireType {
    case 0: return .varint(try varint())
    case 1: return .fixed64(try fixed(8))
    case 2:
      let length = try varint()
      guard length <= UInt64(rest.count) else {
        throw ApusError.malformedMessage(
          "a field of \(length) bytes", "at most the \(rest.count) that are left", offset)
      }
      return .bytes(take(Int(length)))
    case 5: return .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
    case 3, 4:
      throw ApusError.malformedMessage("a group", "no groups, which this format does not use", offset)
    default: throw ApusError.malformedMessage("the wire type is \(wireType)", "0, 1, 2 or 5", offset)
    }
  }

  @inlinable mutating func take(_ count: Int) -> Bytes {
    let end = rest.startIndex + count
    let taken = rest[..<end]
    rest = rest[end...]
    return taken
  }

  /// A number in base 128, least significant digit first, of at most 64 bits: ten bytes.
  @inlinable mutating func varint() throws(ApusError) -> UInt64 {
    let offset = rest.startIndex
    // Most numbers are of one byte.
    if offset < rest.endIndex, rest[offset] < 0x80 { return UInt64(take(1)[offset]) }
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else {
        throw ApusError.malformedMessage("the file ends inside a number", nil, offset)
      }
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw ApusError.malformedMessage("a number of over 64 bits", nil, offset)
  }

  /// A little-endian number of `count` bytes.
  @inlinable mutating func fixed(_ count: Int) throws(ApusError) -> UInt64 {
    guard rest.count >= count else {
      throw ApusError.malformedMessage("the file ends inside a number", nil, rest.startIndex)
    }
    var value: UInt64 = 0
    for (index, byte) in take(count).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    return value
  }
}

extension ApusError {
  /// That a message breaks the rules of its format.
  /// - Parameter offset: where, in bytes from the start of the file.
  package static func malformedMessage(_ problem: String, _ expected: String?, _ offset: Int) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: "byte \(offset)")
  }
}

extension ProtobufReader.Field {
  /// The payload as bytes of a string or a nested message.
  package func bytes() throws(ApusError) -> Bytes {
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

  package func int64() throws(ApusError) -> Int64 {
    guard case .varint(let value) = payload else { throw wrongType("a varint") }
    return Int64(bitPattern: value)
  }

  package func float() throws(ApusError) -> Float {
    guard case .fixed32(let bits) = payload else { throw wrongType("a 32-bit number") }
    return Float(bitPattern: bits)
  }

  package func wrongType(_ expected: String) -> ApusError {
    let found =
      switch payload {
      case .varint: "a varint"
      case .fixed64: "a 64-bit number"
      case .bytes: "bytes"
      case .fixed32: "a 32-bit number"
      }
    return ApusError.malformedMessage("field \(number) is \(found)", expected, offset)
  }
}

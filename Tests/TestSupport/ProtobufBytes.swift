/// A message of protocol buffers as it is written: fields in the order in which they are added.
package struct ProtobufBytes {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A field of one number in base 128.
  package mutating func add(_ field: Int, _ number: Int) {
    appendVarint(UInt64(field) << 3)
    appendVarint(UInt64(bitPattern: Int64(number)))
  }

  /// A field of 32 bits.
  package mutating func add(_ field: Int, _ number: Float) {
    appendVarint(UInt64(field) << 3 | 5)
    for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * byte))) }
  }

  /// A text, bytes, or a packed list.
  package mutating func add(_ field: Int, _ content: some Collection<UInt8>) {
    appendVarint(UInt64(field) << 3 | 2)
    appendVarint(UInt64(content.count))
    bytes += content
  }

  package mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  package mutating func add(_ field: Int, _ message: ProtobufBytes) { add(field, message.bytes) }

  private mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Structures in Thrift's compact protocol, of which Parquet's headers and footer are made.
///
/// Format: github.com/apache/thrift, doc/specs/thrift-compact-protocol.md.
struct ThriftWriter {
  private(set) var bytes: [UInt8] = []
  private var lastField = 0

  private enum Kind: UInt8 {
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  mutating func int32(_ field: Int, _ value: Int) {
    begin(field, .int32)
    signed(value)
  }

  mutating func int64(_ field: Int, _ value: Int) {
    begin(field, .int64)
    signed(value)
  }

  mutating func text(_ field: Int, _ value: String) {
    begin(field, .binary)
    text(value)
  }

  mutating func structure(_ field: Int, _ body: (inout ThriftWriter) -> Void) {
    begin(field, .structure)
    structure(body)
  }

  mutating func int32s(_ field: Int, _ values: [Int]) {
    beginList(field, .int32, values.count)
    values.forEach { signed($0) }
  }

  mutating func texts(_ field: Int, _ values: [String]) {
    beginList(field, .binary, values.count)
    values.forEach { text($0) }
  }

  mutating func structures<Element>(
    _ field: Int, _ elements: [Element], _ body: (inout ThriftWriter, Element) -> Void
  ) {
    beginList(field, .structure, elements.count)
    for element in elements { structure { body(&$0, element) } }
  }

  /// A structure that stands by itself.
  static func bytes(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    writer.structure(body)
    return writer.bytes
  }

  private mutating func structure(_ body: (inout ThriftWriter) -> Void) {
    let outer = lastField
    lastField = 0
    body(&self)
    bytes.append(0)
    lastField = outer
  }

  /// Fields come in ascending order, at most 15 apart.
  private mutating func begin(_ field: Int, _ kind: Kind) {
    bytes.append(UInt8(truncatingIfNeeded: (field - lastField) << 4) | kind.rawValue)
    lastField = field
  }

  private mutating func beginList(_ field: Int, _ kind: Kind, _ count: Int) {
    begin(field, .list)
    if count < 15 {
      bytes.append(UInt8(truncatingIfNeeded: count << 4) | kind.rawValue)
    } else {
      bytes.append(0xf0 | kind.rawValue)
      bytes.appendVariable(UInt64(count))
    }
  }

  private mutating func signed(_ value: Int) {
    bytes.appendVariable(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
  }

  private mutating func text(_ value: String) {
    bytes.appendVariable(UInt64(value.utf8.count))
    bytes += value.utf8
  }
}

extension [UInt8] {
  /// Seven bits in a byte, the lowest first; all bytes but the last have their top bit set.
  mutating func appendVariable(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

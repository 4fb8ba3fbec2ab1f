/// A value to be written as a FlatBuffers message. Unlike the official builders it can write nonsense.
package indirect enum FlatBufferNode {
  case int8(Int8)
  case uint8(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case float(Float)
  case string(String)
  /// A vector of bytes, at a multiple of 16.
  case bytes([UInt8])
  case uint16s([UInt16])
  case int32s([Int32])
  case int64s([Int64])
  case floats([Float])
  /// Fields by slot.
  case table([Int: FlatBufferNode])
  /// A vector of tables or strings.
  case vector([FlatBufferNode])
  /// A vector of tables whose references all lead to one table.
  case repeated(FlatBufferNode, count: Int)
  /// A vector that states a length, with nothing in it.
  case emptyVector(claiming: UInt32)
  /// A reference over a distance, whatever is there.
  case reference(UInt32)

  package static func bool(_ value: Bool) -> FlatBufferNode { .uint8(value ? 1 : 0) }
}

/// Writes a ``FlatBufferNode`` front to back: what a table refers to follows it.
package struct FlatBufferBuilder {
  private var bytes: [UInt8] = []

  /// A message with a root table.
  package static func build(_ root: FlatBufferNode, identifier: String) -> [UInt8] {
    var builder = FlatBufferBuilder()
    builder.append(0 as UInt32)
    builder.bytes += Array(identifier.utf8)
    builder.refer(from: 0, to: root)
    builder.align(16)
    return builder.bytes
  }

  private mutating func append<T: FixedWidthInteger>(_ value: T) {
    for byte in 0..<T.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }

  private mutating func align(_ alignment: Int, offset: Int = 0) {
    while (bytes.count + offset) % alignment != 0 { bytes.append(0) }
  }

  private mutating func patch<T: FixedWidthInteger>(_ value: T, at position: Int) {
    for byte in 0..<T.bitWidth / 8 { bytes[position + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }

  /// Writes a node at the end, and its distance where it is referred from.
  private mutating func refer(from position: Int, to node: FlatBufferNode) {
    if case .reference(let distance) = node { return patch(distance, at: position) }
    let target = write(node)
    patch(UInt32(target - position), at: position)
  }

  /// Writes a node that is no scalar; where it is.
  private mutating func write(_ node: FlatBufferNode) -> Int {
    switch node {
    case .table(let fields): return writeTable(fields)
    case .string(let text): return writeVector(text.utf8.map { [$0] }, terminator: [0])
    case .bytes(let data):
      align(16, offset: 4)
      return writeVector(data.map { [$0] })
    case .uint16s(let values):
      return writeVector(values.map { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    case .int32s(let values): return writeVector(values.map { Self.scalar(.int32($0)) })
    case .int64s(let values):
      align(8, offset: 4)
      return writeVector(values.map { Self.scalar(.int64($0)) })
    case .floats(let values): return writeVector(values.map { Self.scalar(.float($0)) })
    case .emptyVector(let count):
      align(4)
      append(count)
      return bytes.count - 4
    case .vector(let nodes):
      let start = writeVector(nodes.map { _ in [0, 0, 0, 0] })
      for (index, node) in nodes.enumerated() { refer(from: start + 4 + 4 * index, to: node) }
      return start
    case .repeated(let node, let count):
      let start = writeVector([[UInt8]](repeating: [0, 0, 0, 0], count: count))
      let target = write(node)
      for position in stride(from: start + 4, to: start + 4 + 4 * count, by: 4) {
        patch(UInt32(target - position), at: position)
      }
      return start
    case .int8, .uint8, .int32, .uint32, .int64, .uint64, .float, .reference:
      align(4)
      bytes += Self.scalar(node)
      return bytes.count - 4
    }
  }

  private mutating func writeVector(_ elements: [[UInt8]], terminator: [UInt8] = []) -> Int {
    align(4)
    let start = bytes.count
    append(UInt32(elements.count))
    bytes += elements.joined()
    bytes += terminator
    return start
  }

  private mutating func writeTable(_ fields: [Int: FlatBufferNode]) -> Int {
    // Wide fields first, so that all lie at multiples of their size.
    let order = fields.keys.sorted {
      (-Self.scalar(fields[$0]).count, $0) < (-Self.scalar(fields[$1]).count, $1)
    }
    var inside: [UInt8] = [0, 0, 0, 0]
    var offsets = [UInt16](repeating: 0, count: (fields.keys.max() ?? -1) + 1)
    for slot in order {
      let scalar = Self.scalar(fields[slot])
      while inside.count % scalar.count != 0 { inside.append(0) }
      offsets[slot] = UInt16(inside.count)
      inside += scalar
    }
    align(8, offset: 4 + 2 * offsets.count)
    let vtable = bytes.count
    append(UInt16(4 + 2 * offsets.count))
    append(UInt16(inside.count))
    for offset in offsets { append(offset) }
    let start = bytes.count
    bytes += inside
    patch(Int32(start - vtable), at: start)
    for slot in offsets.indices {
      guard let node = fields[slot], Self.isReference(node) else { continue }
      refer(from: start + Int(offsets[slot]), to: node)
    }
    return start
  }

  private static func isReference(_ node: FlatBufferNode) -> Bool {
    switch node {
    case .int8, .uint8, .int32, .uint32, .int64, .uint64, .float: false
    default: true
    }
  }

  /// The bytes of a field inside its table; those of a reference are written later.
  private static func scalar(_ node: FlatBufferNode?) -> [UInt8] {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return switch node {
    case .int8(let value): bytes(value)
    case .uint8(let value): bytes(value)
    case .int32(let value): bytes(value)
    case .uint32(let value): bytes(value)
    case .int64(let value): bytes(value)
    case .uint64(let value): bytes(value)
    case .float(let value): bytes(value.bitPattern)
    default: [0, 0, 0, 0]
    }
  }
}

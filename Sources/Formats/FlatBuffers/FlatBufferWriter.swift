import TensorCore

/// Writes FlatBuffers messages front to back: what a table refers to follows it, in the order of the slots.
///
/// The same record always gives the same bytes. Tables with the same layout share their vtable.
package struct FlatBufferWriter {
  private var bytes: [UInt8] = []
  private var vtables: [[UInt8]: Int] = [:]

  /// The largest message: references are of 32 bits, and readers treat them as signed.
  package static let maximumByteCount = Int(Int32.max)

  /// - Parameter identifier: the four characters at byte 4.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the message would be over ``maximumByteCount``.
  package static func message(
    _ root: FlatBufferRecord, identifier: String
  ) throws(ApusError) -> [UInt8] {
    var writer = FlatBufferWriter()
    writer.bytes = [0, 0, 0, 0] + identifier.utf8
    try writer.refer(from: 0, to: .record(root))
    try writer.pad(to: 4)
    return writer.bytes
  }

  /// Writes content at the end, and the distance to it where it is referred from.
  private mutating func refer(from position: Int, to content: FlatBufferContent) throws(ApusError) {
    let target =
      switch content {
      case .record(let record): try write(record)
      case .records(let records): try write(records)
      case .string(let text): try write(Array(text.utf8), width: 1, alignment: 4, terminator: [0])
      case .vector(let elements, let width, let alignment):
        try write(elements, width: width, alignment: alignment)
      }
    patch(UInt32(target - position), at: position)
  }

  private mutating func write(_ record: FlatBufferRecord) throws(ApusError) -> Int {
    let layout = Layout(record)
    let vtable: Int
    if let known = vtables[layout.vtable] {
      vtable = known
    } else {
      try pad(to: 2)
      vtable = bytes.count
      bytes += layout.vtable
      vtables[layout.vtable] = vtable
    }
    try pad(to: layout.alignment)
    let start = bytes.count
    bytes += layout.inside
    patch(Int32(start - vtable), at: start)
    for (offset, content) in layout.references { try refer(from: start + offset, to: content) }
    return start
  }

  private mutating func write(_ records: [FlatBufferRecord]) throws(ApusError) -> Int {
    let start = try write([UInt8](repeating: 0, count: 4 * records.count), width: 4, alignment: 4)
    for (index, record) in records.enumerated() {
      try refer(from: start + 4 + 4 * index, to: .record(record))
    }
    return start
  }

  /// A vector: the number of its elements, and their bytes.
  private mutating func write(
    _ elements: [UInt8], width: Int, alignment: Int, terminator: [UInt8] = []
  ) throws(ApusError) -> Int {
    try pad(to: max(4, alignment), ahead: 4, room: elements.count)
    let start = bytes.count
    bytes += UInt32(elements.count / width).littleEndianBytes
    bytes += elements
    bytes += terminator
    return start
  }

  /// Zeros up to where the byte `ahead` of the end is at a multiple of `alignment`.
  private mutating func pad(to alignment: Int, ahead: Int = 0, room: Int = 0) throws(ApusError) {
    while (bytes.count + ahead) % alignment != 0 { bytes.append(0) }
    guard bytes.count + room <= Self.maximumByteCount - 64 else {
      throw ApusError(
        .unsupportedModel, "a model over \(Self.maximumByteCount) bytes", expected: "what the format can hold"
      )
    }
  }

  private mutating func patch<T: FixedWidthInteger>(_ value: T, at position: Int) {
    bytes.replaceSubrange(position..<position + T.bitWidth / 8, with: value.littleEndianBytes)
  }
}

/// How the fields of a record lie in its table.
private struct Layout {
  /// The bytes of the table, zeros for the vtable's distance and for references.
  private(set) var inside: [UInt8] = [0, 0, 0, 0]
  private(set) var vtable: [UInt8] = []
  private(set) var references: [(offset: Int, content: FlatBufferContent)] = []
  private(set) var alignment = 4

  init(_ record: FlatBufferRecord) {
    let slots = record.fields.keys.sorted()
    var offsets = [UInt16](repeating: 0, count: (slots.last ?? -1) + 1)
    // Wide fields first, so that all lie at multiples of their size with little between them.
    let widths = slots.map { (slot: $0, width: Self.width(record.fields[$0])) }
    for (slot, width) in widths.sorted(by: { ($1.width, $0.slot) < ($0.width, $1.slot) }) {
      while inside.count % width != 0 { inside.append(0) }
      alignment = max(alignment, width)
      offsets[slot] = UInt16(inside.count)
      switch record.fields[slot] {
      case .number(let number)?: inside += number
      default: inside += [0, 0, 0, 0]
      }
    }
    for slot in slots {
      if case .reference(let content)? = record.fields[slot] {
        references.append((Int(offsets[slot]), content))
      }
    }
    vtable = UInt16(4 + 2 * offsets.count).littleEndianBytes + UInt16(inside.count).littleEndianBytes
    vtable += offsets.flatMap(\.littleEndianBytes)
  }

  private static func width(_ field: FlatBufferRecord.Field?) -> Int {
    if case .number(let number)? = field { number.count } else { 4 }
  }
}

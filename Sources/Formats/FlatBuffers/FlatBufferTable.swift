import TensorCore

/// A table of a ``FlatBuffer``: fields by slot, absent ones at their default.
///
/// A slot is the position of the field in the schema; a union takes two, its type and its value.
package struct FlatBufferTable {
  let buffer: FlatBuffer?
  let name: String
  let position: Int
  /// Bytes of the table itself, references included.
  let byteCount: Int
  /// Positions of the 16-bit field offsets.
  let slots: Range<Int>
  let depth: Int

  /// A table that holds no field, so that all are at their default.
  static func empty(named name: String) -> FlatBufferTable { FlatBufferTable(emptyNamed: name) }

  private init(emptyNamed name: String) {
    buffer = nil
    self.name = name
    position = 0
    byteCount = 0
    slots = 0..<0
    depth = 0
  }

  init(_ buffer: FlatBuffer, at position: Int, name: String, depth: Int) throws(ApusError) {
    let field = FlatBufferField(table: name, name: "vtable")
    guard depth <= FlatBuffer.maximumDepth else {
      throw field.error(
        "a table \(depth) levels deep", expected: "at most \(FlatBuffer.maximumDepth)", at: position)
    }
    let vtable = position - Int(try buffer.integer(at: position, field) as Int32)
    guard (vtable - buffer.range.lowerBound).isMultiple(of: 2) else {
      throw field.error("a vtable at the odd offset \(vtable)", at: position)
    }
    let vtableSize = Int(try buffer.integer(at: vtable, field) as UInt16)
    guard vtableSize >= 4, vtableSize.isMultiple(of: 2) else {
      throw field.error("a vtable of \(vtableSize) bytes", expected: "an even number from 4", at: vtable)
    }
    try buffer.require(vtableSize, at: vtable, field)
    let byteCount = Int(try buffer.integer(at: vtable + 2, field) as UInt16)
    guard byteCount >= 4 else {
      throw field.error("a table of \(byteCount) bytes", expected: "at least 4", at: vtable + 2)
    }
    try buffer.require(byteCount, at: position, field)
    // A description of a table takes memory even if the table is empty.
    try buffer.charge(byteCount + vtableSize + 48, at: position, field)
    self.buffer = buffer
    self.name = name
    self.position = position
    self.byteCount = byteCount
    self.slots = vtable + 4..<vtable + vtableSize
    self.depth = depth
  }

  func field(_ name: String) -> FlatBufferField { FlatBufferField(table: self.name, name: name) }

  /// An error in the value of a field, at its place.
  func error(_ slot: Int, _ name: String, _ problem: String, expected: String? = nil) -> ApusError {
    guard buffer != nil else {
      let problem = "\(problem), as the table is absent"
      return ApusError(.malformedModel, problem, expected: expected, at: "\(self.name).\(name)")
    }
    let place = (try? value(slot, width: 1, name))?.position ?? position
    return field(name).error(problem, expected: expected, at: place)
  }

  /// The buffer and the position of the bytes of a field, or nil when the table lacks it.
  private func value(
    _ slot: Int, width: Int, _ name: String
  ) throws(ApusError) -> (buffer: FlatBuffer, position: Int)? {
    let entry = slots.lowerBound + 2 * slot
    guard let buffer, entry + 2 <= slots.upperBound else { return nil }
    let offset = Int(try buffer.integer(at: entry, field(name)) as UInt16)
    if offset == 0 { return nil }
    guard offset >= 4, offset <= byteCount - width else {
      throw field(name).error(
        "\(width) bytes at \(offset) of a table of \(byteCount) bytes", at: entry)
    }
    return (buffer, position + offset)
  }
}

extension FlatBufferTable {
  /// An integer field.
  func integer<T: FixedWidthInteger & BitwiseCopyable>(_ slot: Int, _ name: String, default fallback: T)
    throws(ApusError) -> T
  {
    guard let (buffer, position) = try value(slot, width: T.bitWidth / 8, name) else { return fallback }
    return try buffer.integer(at: position, field(name))
  }

  /// A 32-bit signed field.
  func int(_ slot: Int, _ name: String, default fallback: Int32 = 0) throws(ApusError) -> Int {
    Int(try integer(slot, name, default: fallback))
  }

  /// A 32-bit unsigned field, such as an index.
  func index(_ slot: Int, _ name: String) throws(ApusError) -> Int {
    Int(try integer(slot, name, default: 0 as UInt32))
  }

  func bool(_ slot: Int, _ name: String, default fallback: Bool = false) throws(ApusError) -> Bool {
    try integer(slot, name, default: fallback ? 1 : 0 as UInt8) != 0
  }

  func float(_ slot: Int, _ name: String) throws(ApusError) -> Float {
    Float(bitPattern: try integer(slot, name, default: 0 as UInt32))
  }

  /// A table field, or nil when absent.
  func table(_ slot: Int, _ name: String, as type: String) throws(ApusError) -> FlatBufferTable? {
    guard let (buffer, position) = try value(slot, width: 4, name) else { return nil }
    let target = try buffer.reference(at: position, field(name))
    return try FlatBufferTable(buffer, at: target, name: type, depth: depth + 1)
  }

  /// A string field, or nil when absent. Bytes that are not UTF-8 become U+FFFD.
  func string(_ slot: Int, _ name: String) throws(ApusError) -> String? {
    guard let (buffer, range) = try vector(slot, name, width: 1) else { return nil }
    try buffer.charge(range.count, at: range.lowerBound, field(name))
    return buffer.bytes[range].text
  }

  /// A vector of strings; empty when absent.
  func strings(_ slot: Int, _ name: String) throws(ApusError) -> [String] {
    guard let (buffer, range) = try vector(slot, name, width: 4) else { return [] }
    var result: [String] = []
    for position in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      let start = try buffer.reference(at: position, field(name))
      let text = try buffer.elements(width: 1, at: start, field(name))
      try buffer.charge(text.count + 16, at: start, field(name))
      result.append(buffer.bytes[text].text)
    }
    return result
  }

  /// Where in the file the bytes of a byte vector lie, or nil when absent.
  func byteRange(_ slot: Int, _ name: String) throws(ApusError) -> Range<Int>? {
    try vector(slot, name, width: 1)?.range
  }

  /// Where in the file the integers of a vector lie, or nil when absent. They count as read.
  func elementRange(_ slot: Int, _ name: String, width: Int) throws(ApusError) -> Range<Int>? {
    guard let (buffer, range) = try vector(slot, name, width: width) else { return nil }
    try buffer.charge(range.count, at: range.lowerBound, field(name))
    return range
  }

  /// A vector of integers, or nil when absent.
  func integers<T: FixedWidthInteger & BitwiseCopyable>(
    _ slot: Int, _ name: String, of: T.Type = T.self
  ) throws(ApusError) -> [T]? {
    let width = T.bitWidth / 8
    guard let (buffer, range) = try vector(slot, name, width: width) else { return nil }
    try buffer.charge(range.count, at: range.lowerBound, field(name))
    return buffer.integers(in: range, of: T.self)
  }

  /// A vector of 32-bit integers; empty when absent.
  func ints(_ slot: Int, _ name: String) throws(ApusError) -> [Int] {
    try integers(slot, name, of: Int32.self)?.map(Int.init) ?? []
  }

  /// A vector of 32-bit floats; empty when absent.
  func floats(_ slot: Int, _ name: String) throws(ApusError) -> [Float] {
    try integers(slot, name, of: UInt32.self)?.map(Float.init(bitPattern:)) ?? []
  }

  /// A vector of tables; empty when absent. The tables are read one by one.
  func tables(_ slot: Int, _ name: String, as type: String) throws(ApusError) -> FlatBufferTables {
    let found = try vector(slot, name, width: 4)
    return FlatBufferTables(
      buffer: found?.buffer, range: found?.range ?? 0..<0, field: field(name), type: type, depth: depth + 1)
  }

  private func vector(
    _ slot: Int, _ name: String, width: Int
  ) throws(ApusError) -> (buffer: FlatBuffer, range: Range<Int>)? {
    guard let (buffer, position) = try value(slot, width: 4, name) else { return nil }
    let start = try buffer.reference(at: position, field(name))
    return (buffer, try buffer.elements(width: width, at: start, field(name)))
  }
}

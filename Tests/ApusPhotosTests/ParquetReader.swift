/// Columns of a Parquet file that `ParquetWriter` wrote, read by the format's document: pages without compression,
/// plain values, levels of one bit.
struct ParquetReader {
  struct Malformed: Error {}

  /// A value as it stands in a page.
  enum Value: Equatable {
    case integer(Int)
    case number(Double)
    case bytes([UInt8])
    case list([Float])
    case none

    static func text(_ text: String) -> Value { .bytes(Array(text.utf8)) }
  }

  let footer: ThriftValue
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    guard bytes.count >= 12, bytes.prefix(4) == Array("PAR1".utf8)[...], bytes.suffix(4) == bytes.prefix(4)
    else {
      throw Malformed()
    }
    self.bytes = bytes
    let size = Self.integer(bytes[(bytes.count - 8)..<(bytes.count - 4)])
    var reader = ThriftReader(bytes[(bytes.count - 8 - size)..<(bytes.count - 8)])
    footer = try reader.structure()
    guard reader.offset == bytes.count - 8 else { throw Malformed() }
  }

  /// The leaves of the schema: name of the column, physical type, whether it is optional, converted type.
  var leaves: [(name: String, physical: Int, isOptional: Bool, meaning: Int?)] {
    footer[2]?.list.compactMap { node in
      node[1]?.integer.map { (node[4]?.text ?? "", $0, node[3]?.integer == 1, node[6]?.integer) }
    } ?? []
  }

  var groupRows: [Int] { footer[4]?.list.compactMap { $0[3]?.integer } ?? [] }

  /// All values of a column, one for each row.
  func column(_ index: Int) throws -> [Value] {
    let leaf = leaves[index]
    return try (footer[4]?.list ?? []).flatMap { group in
      guard let chunk = group[1]?.list[index][3], let start = chunk[9]?.integer, let size = chunk[7]?.integer,
        chunk[1]?.integer == leaf.physical, chunk[4]?.integer == 0
      else { throw Malformed() }
      return try page(bytes[start..<start + size], leaf, isList: chunk[3]?.list.count == 3)
    }
  }

  private func page(
    _ bytes: ArraySlice<UInt8>, _ leaf: (name: String, physical: Int, isOptional: Bool, meaning: Int?),
    isList: Bool
  ) throws -> [Value] {
    var reader = ThriftReader(bytes)
    let header = try reader.structure()
    guard let count = header[5]?[1]?.integer, header[1]?.integer == 0, header[5]?[2]?.integer == 0,
      header[2]?.integer == bytes.endIndex - reader.offset, header[3] == header[2]
    else { throw Malformed() }
    var rest = bytes[reader.offset...]
    let repetitions = isList ? try levels(&rest, count) : []
    let definitions = isList || leaf.isOptional ? try levels(&rest, count) : Array(repeating: 1, count: count)
    var rows: [Value] = []
    for index in 0..<count {
      let value = definitions[index] == 0 ? Value.none : try value(&rest, leaf.physical)
      if isList, case .number(let number) = value {
        if repetitions[index] == 0 { rows.append(.list([])) }
        guard case .list(let numbers) = rows.last else { throw Malformed() }
        rows[rows.count - 1] = .list(numbers + [Float(number)])
      } else {
        rows.append(value)
      }
    }
    guard rest.isEmpty else { throw Malformed() }
    return rows
  }

  /// Levels of one bit: a size, then runs of one value or of packed bits.
  private func levels(_ rest: inout ArraySlice<UInt8>, _ count: Int) throws -> [UInt8] {
    let size = Self.integer(rest.prefix(4))
    let part = rest.dropFirst(4).prefix(size)
    rest = rest.dropFirst(4 + size)
    var levels: [UInt8] = []
    var offset = part.startIndex
    while offset < part.endIndex {
      var (head, shift) = (0, 0)
      repeat {
        head |= Int(part[offset] & 0x7f) << shift
        shift += 7
        offset += 1
      } while part[offset - 1] >= 0x80
      if head & 1 == 0 {
        levels += Array(repeating: part[offset], count: head >> 1)
        offset += 1
      } else {
        for byte in part[offset..<offset + head >> 1] { levels += (0..<8).map { byte >> $0 & 1 } }
        offset += head >> 1
      }
    }
    guard levels.count >= count, levels.count < count + 8 else { throw Malformed() }
    return Array(levels.prefix(count))
  }

  private func value(_ rest: inout ArraySlice<UInt8>, _ physical: Int) throws -> Value {
    func take(_ count: Int) throws -> ArraySlice<UInt8> {
      guard rest.count >= count else { throw Malformed() }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    switch physical {
    case 1: return .integer(Int(Int32(truncatingIfNeeded: Self.integer(try take(4)))))
    case 2: return .integer(Self.integer(try take(8)))
    case 4: return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.integer(try take(4))))))
    case 5: return .number(Double(bitPattern: UInt64(bitPattern: Int64(Self.integer(try take(8))))))
    case 6: return .bytes(Array(try take(Self.integer(try take(4)))))
    default: throw Malformed()
    }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

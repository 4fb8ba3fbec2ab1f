/// Values of one column of a row group, on their way into a Parquet file: what a data page holds.
struct ParquetColumn {
  /// Physical types, by their numbers in the format.
  enum Physical: Int {
    case int32 = 1
    case int64 = 2
    case float = 4
    case double = 5
    case bytes = 6
  }

  /// How a value is to be understood, by the numbers of converted types.
  enum Meaning: Int {
    case text = 0
    case list = 3
    case milliseconds = 9
  }

  enum Presence {
    case required
    case optional
    /// As many values in each row, at least one.
    case list(width: Int)
  }

  let name: String
  let physical: Physical
  let meaning: Meaning?
  let presence: Presence
  private(set) var values: [UInt8] = []
  private(set) var rowCount = 0
  /// Of optional values, eight to a byte: whether each is there.
  private var presentBits: [UInt8] = []

  init(_ name: String, _ physical: Physical, _ presence: Presence = .required, as meaning: Meaning? = nil) {
    (self.name, self.physical, self.presence, self.meaning) = (name, physical, presence, meaning)
  }

  mutating func add(_ text: String?) { add(text.map { Array($0.utf8) }) }

  mutating func add(_ bytes: [UInt8]?) {
    add(bytes) { values, bytes in
      values.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
      values += bytes
    }
  }

  mutating func add(_ number: Int32) { add(number) { $0.append(littleEndian: $1) } }

  mutating func add(_ number: Int64?) { add(number) { $0.append(littleEndian: $1) } }

  mutating func add(_ number: Double?) { add(number) { $0.append(littleEndian: $1.bitPattern) } }

  mutating func add(_ numbers: [Float]) {
    add(numbers) { values, numbers in
      for number in numbers { values.append(littleEndian: number.bitPattern) }
    }
  }

  private mutating func add<Value>(_ value: Value?, _ write: (inout [UInt8], Value) -> Void) {
    if rowCount % 8 == 0 { presentBits.append(0) }
    if let value {
      write(&values, value)
      presentBits[rowCount / 8] |= 1 << UInt8(rowCount % 8)
    }
    rowCount += 1
  }

  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    presentBits.removeAll(keepingCapacity: true)
    rowCount = 0
  }

  /// The path of the column in the schema.
  var path: [String] {
    if case .list = presence { [name, "list", "element"] } else { [name] }
  }

  /// Values as the format counts them: those that are absent too.
  var valueCount: Int {
    if case .list(let width) = presence { rowCount * width } else { rowCount }
  }

  /// The levels that say which values are there and where rows begin, before the values themselves.
  var levels: [UInt8] {
    switch presence {
    case .required: []
    case .optional: Self.sized(bitPacked)
    case .list(let width): Self.sized(repetitions(width)) + Self.sized(Self.run(of: 1, count: valueCount))
    }
  }

  private var bitPacked: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVariable(UInt64(presentBits.count) << 1 | 1)
    return bytes + presentBits
  }

  /// 0 where a row begins, else 1.
  private func repetitions(_ width: Int) -> [UInt8] {
    guard width > 1 else { return Self.run(of: 0, count: rowCount) }
    let row = Self.run(of: 0, count: 1) + Self.run(of: 1, count: width - 1)
    return (0..<rowCount).flatMap { _ in row }
  }

  private static func run(of bit: UInt8, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVariable(UInt64(count) << 1)
    return bytes + [bit]
  }

  private static func sized(_ bytes: [UInt8]) -> [UInt8] {
    var sized: [UInt8] = []
    sized.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
    return sized + bytes
  }
}

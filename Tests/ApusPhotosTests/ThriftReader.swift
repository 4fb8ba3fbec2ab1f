/// A structure of Thrift's compact protocol, read without knowing what it is.
indirect enum ThriftValue: Equatable {
  case integer(Int)
  case text(String)
  case list([ThriftValue])
  case structure([Int: ThriftValue])

  subscript(_ field: Int) -> ThriftValue? {
    if case .structure(let fields) = self { fields[field] } else { nil }
  }
  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var list: [ThriftValue] { if case .list(let values) = self { values } else { [] } }
}

/// Reads what `ThriftWriter` writes, by the protocol's document.
struct ThriftReader {
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  mutating func structure() throws -> ThriftValue {
    var fields: [Int: ThriftValue] = [:]
    var field = 0
    while true {
      let head = try byte()
      if head == 0 { return .structure(fields) }
      field = head >> 4 == 0 ? try signed() : field + Int(head >> 4)
      guard fields[field] == nil else { throw Malformed() }
      fields[field] = try value(head & 15)
    }
  }

  private mutating func value(_ kind: UInt8) throws -> ThriftValue {
    switch kind {
    case 5, 6: return .integer(try signed())
    case 8:
      let count = try variable()
      guard count <= bytes.endIndex - offset,
        let text = String(validating: bytes[offset..<offset + count], as: UTF8.self)
      else { throw Malformed() }
      offset += count
      return .text(text)
    case 9:
      let head = try byte()
      let count = head >> 4 == 15 ? try variable() : Int(head >> 4)
      return .list(try (0..<count).map { _ in try value(head & 15) })
    case 12: return try structure()
    default: throw Malformed()
    }
  }

  private mutating func byte() throws -> UInt8 {
    guard offset < bytes.endIndex else { throw Malformed() }
    offset += 1
    return bytes[offset - 1]
  }

  private mutating func variable() throws -> Int {
    var (number, shift) = (0, 0)
    while true {
      let next = try byte()
      number |= Int(next & 0x7f) << shift
      if next < 0x80 { return number }
      shift += 7
    }
  }

  private mutating func signed() throws -> Int {
    let number = UInt(bitPattern: try variable())
    return Int(bitPattern: number >> 1) ^ -Int(number & 1)
  }
}

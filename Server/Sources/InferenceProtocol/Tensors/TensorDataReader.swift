import Apus
import JSONCoding

/// Reads a tensor's `data` from JSON into the binary form: a flat list in row-major order, or lists inside lists that
/// follow the shape.
struct TensorDataReader {
  private let name: String
  private let datatype: InferenceDatatype
  private let shape: InferenceShape
  private(set) var bytes: [UInt8] = []

  init(_ name: String, _ datatype: InferenceDatatype, _ shape: InferenceShape) {
    (self.name, self.datatype, self.shape) = (name, datatype, shape)
  }

  mutating func read(from reader: inout JSONReader) throws(ApusError) {
    // A number and its comma take two bytes at least, whatever the shape says.
    bytes.reserveCapacity(min(shape.elementCount, reader.remaining / 2 + 1) * (datatype.byteCount ?? 8))
    try list(level: 0, expected: nil, from: &reader)
  }

  /// - Parameter expected: how many elements there must be; nil for the outermost list, which decides by its first
  ///   element whether it is a flat one.
  private mutating func list(
    level: Int, expected: Int?, from reader: inout JSONReader
  ) throws(ApusError) {
    var expected = expected
    var count = 0
    let limit = level + 1
    try reader.eachElement { (reader) throws(ApusError) in
      let isList = reader.next == UInt8(ascii: "[")
      if expected == nil { expected = isList ? shape.extents.first ?? 1 : shape.elementCount }
      count += 1
      guard count <= expected ?? 0 else { throw wrongCount(reader) }
      if isList {
        guard limit < shape.extents.count else { throw wrongCount(reader) }
        try list(level: limit, expected: shape.extents[limit], from: &reader)
      } else {
        try element(from: &reader)
      }
    }
    guard count == expected ?? shape.elementCount else { throw wrongCount(reader) }
  }

  private func wrongCount(_ reader: JSONReader) -> ApusError {
    reader.error(
      "the data of '\(name.clipped)' is not that of shape \(shape)",
      expected: "\(shape.elementCount) elements in one list, or lists inside lists as the shape has them")
  }

  private mutating func element(from reader: inout JSONReader) throws(ApusError) {
    switch datatype {
    case .bool: bytes.append(try reader.bool() ? 1 : 0)
    case .uint8: try integer(UInt8.self, from: &reader)
    case .uint16: try integer(UInt16.self, from: &reader)
    case .uint32: try integer(UInt32.self, from: &reader)
    case .uint64: try integer(UInt64.self, from: &reader)
    case .int8: try integer(Int8.self, from: &reader)
    case .int16: try integer(Int16.self, from: &reader)
    case .int32: try integer(Int32.self, from: &reader)
    case .int64: try integer(Int64.self, from: &reader)
    case .float16: bytes.append(littleEndian: try real(Float16.self, from: &reader).bitPattern)
    case .bfloat16: bytes.append(littleEndian: BFloat16(try real(Float.self, from: &reader)).bitPattern)
    case .float32: bytes.append(littleEndian: try real(Float.self, from: &reader).bitPattern)
    case .float64: bytes.append(littleEndian: try real(Double.self, from: &reader).bitPattern)
    case .bytes: try BytesElements.append(try reader.string().utf8, to: &bytes)
    }
  }

  private mutating func integer<Number: FixedWidthInteger>(
    _: Number.Type, from reader: inout JSONReader
  ) throws(ApusError) {
    let start = reader.position
    guard let integer = try reader.integer(Number.self) else { throw unfit(from: start, reader) }
    bytes.append(littleEndian: integer)
  }

  private func real<Number: BinaryFloatingPoint>(
    _: Number.Type, from reader: inout JSONReader
  ) throws(ApusError) -> Number {
    let start = reader.position
    let real = Number(try reader.double())
    guard real.isFinite else { throw unfit(from: start, reader) }
    return real
  }

  private func unfit(from start: Int, _ reader: JSONReader) -> ApusError {
    reader.error("\(reader.text(from: start).clipped) is no number of \(datatype.rawValue)")
  }
}

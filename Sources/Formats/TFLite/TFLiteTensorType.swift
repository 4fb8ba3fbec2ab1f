import TensorCore

/// The element types of the TFLite schema, with their numbers there.
package enum TFLiteTensorType: Int8, Sendable, CaseIterable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case string = 5
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case complex128 = 11
  case uint64 = 12
  case resource = 13
  case variant = 14
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18
  case int2 = 19
  case uint4 = 20
  case float8E4M3FN = 21
  case float8E5M2 = 22

  /// The name in the schema, such as `FLOAT32`.
  package var name: String {
    switch self {
    case .float8E4M3FN: "FLOAT8_E4M3FN"
    case .float8E5M2: "FLOAT8_E5M2"
    default: "\(self)".uppercased()
    }
  }

  /// The type that Apus computes with, or nil when it has none. Cases have the names of its types.
  package var dataType: DataType? { DataType(rawValue: "\(self)") }

  /// Bits of one element, or nil when elements have no fixed size.
  package var bitCount: Int? {
    switch self {
    case .string, .resource, .variant: nil
    case .int2: 2
    case .int4, .uint4: 4
    case .float8E4M3FN, .float8E5M2: 8
    case .complex64: 64
    case .complex128: 128
    default: dataType.map { $0.byteCount * 8 }
    }
  }

  /// The zero points that a quantized tensor of the type may have, or nil when the type is not an integer.
  package var zeroPointRange: ClosedRange<Int64>? {
    switch self {
    case .int2: -2...1
    case .int4: -8...7
    case .uint4: 0...15
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    case .uint16: 0...65535
    case .int32, .int64: Int64(Int32.min)...Int64(Int32.max)
    case .uint32, .uint64: 0...Int64(Int32.max)
    default: nil
    }
  }

  /// The type that a field holds.
  init(_ table: FlatBufferTable, _ slot: Int, _ name: String, default fallback: Self = .float32)
    throws(ApusError)
  {
    let raw = try table.integer(slot, name, default: fallback.rawValue)
    guard let type = Self(rawValue: raw) else {
      throw table.error(slot, name, "unknown element type \(raw)", expected: "one of 0 to 22")
    }
    self = type
  }
}

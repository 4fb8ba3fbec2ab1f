import TensorCore

/// The element types of the safetensors format, named as in its files.
package enum SafetensorsType: String, Sendable, CaseIterable {
  case bool = "BOOL"
  case float4 = "F4"
  case float6E2M3 = "F6_E2M3"
  case float6E3M2 = "F6_E3M2"
  case uint8 = "U8"
  case int8 = "I8"
  case float8E5M2 = "F8_E5M2"
  case float8E4M3 = "F8_E4M3"
  case float8E8M0 = "F8_E8M0"
  case float8E4M3FNUZ = "F8_E4M3FNUZ"
  case float8E5M2FNUZ = "F8_E5M2FNUZ"
  case int16 = "I16"
  case uint16 = "U16"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int32 = "I32"
  case uint32 = "U32"
  case float32 = "F32"
  case complex64 = "C64"
  case float64 = "F64"
  case int64 = "I64"
  case uint64 = "U64"

  /// The type whose tensors Apus reads; nil for those that it does not. Cases have the names of its types.
  package var dataType: DataType? { DataType(rawValue: "\(self)") }

  /// The type in files for a type of Apus.
  package init(_ dataType: DataType) {
    self =
      switch dataType {
      case .float16: .float16
      case .bfloat16: .bfloat16
      case .float32: .float32
      case .float64: .float64
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int64: .int64
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .uint64: .uint64
      case .bool: .bool
      }
  }

  /// Bits that one element takes.
  package var bitCount: Int {
    switch self {
    case .float4: 4
    case .float6E2M3, .float6E3M2: 6
    case .float8E5M2, .float8E4M3, .float8E8M0, .float8E4M3FNUZ, .float8E5M2FNUZ: 8
    case .complex64: 64
    default: (dataType?.byteCount ?? 0) * 8
    }
  }

  /// The bytes of a dense tensor; nil when they are no whole number or too many to count.
  package func byteCount(of shape: [Int]) -> Int? {
    var bits = 1
    for factor in shape + [bitCount] {
      let (product, overflow) = bits.multipliedReportingOverflow(by: factor)
      guard !overflow else { return nil }
      bits = product
    }
    return bits % 8 == 0 ? bits / 8 : nil
  }
}

import TensorCore

/// The element types of ONNX's `TensorProto.DataType`, with their numbers there.
package enum ONNXElementType: Int32, Sendable, CaseIterable {
  case float = 1
  case uint8 = 2
  case int8 = 3
  case uint16 = 4
  case int16 = 5
  case int32 = 6
  case int64 = 7
  case string = 8
  case bool = 9
  case float16 = 10
  case double = 11
  case uint32 = 12
  case uint64 = 13
  case complex64 = 14
  case complex128 = 15
  case bfloat16 = 16
  case float8E4M3FN = 17
  case float8E4M3FNUZ = 18
  case float8E5M2 = 19
  case float8E5M2FNUZ = 20
  case uint4 = 21
  case int4 = 22
  case float4E2M1 = 23
  case float8E8M0 = 24
  case uint2 = 25
  case int2 = 26

  /// The name in the specification, in lower case: `float16`.
  package var name: String {
    switch self {
    case .float8E4M3FN: "float8e4m3fn"
    case .float8E4M3FNUZ: "float8e4m3fnuz"
    case .float8E5M2: "float8e5m2"
    case .float8E5M2FNUZ: "float8e5m2fnuz"
    case .float4E2M1: "float4e2m1"
    case .float8E8M0: "float8e8m0"
    default: "\(self)"
    }
  }

  /// Bits of integers of which several lie in a byte; nil for other types.
  package var packedBits: Int? {
    switch self {
    case .int4, .uint4: 4
    case .int2, .uint2: 2
    default: nil
    }
  }

  /// The type that Apus computes with, or nil when it has none.
  package var dataType: DataType? {
    switch self {
    case .float: .float32
    case .uint8: .uint8
    case .int8: .int8
    case .uint16: .uint16
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .bool: .bool
    case .float16: .float16
    case .double: .float64
    case .uint32: .uint32
    case .uint64: .uint64
    case .bfloat16: .bfloat16
    default: nil
    }
  }
}

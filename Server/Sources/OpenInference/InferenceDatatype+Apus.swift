import Apus
import InferenceProtocol

extension InferenceDatatype {
  init(_ dataType: DataType) {
    self =
      switch dataType {
      case .bool: .bool
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .uint64: .uint64
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int64: .int64
      case .float16: .float16
      case .bfloat16: .bfloat16
      case .float32: .float32
      case .float64: .float64
      }
  }

  /// Nil for BYTES.
  var dataType: DataType? {
    switch self {
    case .bytes: nil
    case .bool: .bool
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .float16: .float16
    case .bfloat16: .bfloat16
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// The type of one element of a tensor.
public enum DataType: String, Sendable, CaseIterable {
  case float16, bfloat16, float32, float64
  case int8, int16, int32, int64
  case uint8, uint16, uint32, uint64
  case bool

  /// Bytes that one element takes.
  public var byteCount: Int {
    switch self {
    case .int8, .uint8, .bool: 1
    case .float16, .bfloat16, .int16, .uint16: 2
    case .float32, .int32, .uint32: 4
    case .float64, .int64, .uint64: 8
    }
  }

  /// Whether elements are floating-point numbers.
  public var isFloat: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: true
    default: false
    }
  }

  /// Whether it is one of the integer types; `bool` is not.
  public var isInteger: Bool { !isFloat && self != .bool }
}

/// The type of one element of a tensor.
public enum DataType: String, Sendable, CaseIterable {
  /// IEEE 754's binary16.
  case float16
  /// The upper half of a `float32`: its range, with 8 bits of precision.
  case bfloat16
  /// IEEE 754's binary32.
  case float32
  /// IEEE 754's binary64.
  case float64
  /// From -128 to 127.
  case int8
  /// From -2¹⁵ to 2¹⁵ - 1.
  case int16
  /// From -2³¹ to 2³¹ - 1.
  case int32
  /// From -2⁶³ to 2⁶³ - 1.
  case int64
  /// From 0 to 255.
  case uint8
  /// From 0 to 2¹⁶ - 1.
  case uint16
  /// From 0 to 2³² - 1.
  case uint32
  /// From 0 to 2⁶⁴ - 1.
  case uint64
  /// A byte for each element: 0 for false, 1 for true.
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

  /// Whether elements may be indices or extents, which are checked and then used: in a mapped file they may change between.
  /// Of weights, integers of so many bits are biases.
  package var mayBeIndices: Bool { isInteger && byteCount > 1 }
}

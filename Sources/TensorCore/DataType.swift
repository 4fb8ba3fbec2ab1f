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

/// A Swift type that is the in-memory form of a ``DataType``.
package protocol TensorElement: BitwiseCopyable, Sendable, Equatable {
  static var dataType: DataType { get }
}

extension Float: TensorElement { package static var dataType: DataType { .float32 } }
extension Double: TensorElement { package static var dataType: DataType { .float64 } }
extension Int8: TensorElement { package static var dataType: DataType { .int8 } }
extension Int16: TensorElement { package static var dataType: DataType { .int16 } }
extension Int32: TensorElement { package static var dataType: DataType { .int32 } }
extension Int64: TensorElement { package static var dataType: DataType { .int64 } }
extension UInt8: TensorElement { package static var dataType: DataType { .uint8 } }
extension UInt16: TensorElement { package static var dataType: DataType { .uint16 } }
extension UInt32: TensorElement { package static var dataType: DataType { .uint32 } }
extension UInt64: TensorElement { package static var dataType: DataType { .uint64 } }
extension Bool: TensorElement { package static var dataType: DataType { .bool } }

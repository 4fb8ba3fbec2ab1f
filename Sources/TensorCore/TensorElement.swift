/// A Swift type that is the in-memory form of a ``DataType``.
public protocol TensorElement: BitwiseCopyable, Sendable, Equatable {
  /// The type of a tensor with such elements.
  static var dataType: DataType { get }
}

extension Float: TensorElement {
  /// `float32`.
  public static var dataType: DataType { .float32 }
}

extension Double: TensorElement {
  /// `float64`.
  public static var dataType: DataType { .float64 }
}

#if !(os(macOS) && arch(x86_64))
  extension Float16: TensorElement {
    /// `float16`.
    public static var dataType: DataType { .float16 }
  }
#endif

extension Int8: TensorElement {
  /// `int8`.
  public static var dataType: DataType { .int8 }
}

extension Int16: TensorElement {
  /// `int16`.
  public static var dataType: DataType { .int16 }
}

extension Int32: TensorElement {
  /// `int32`.
  public static var dataType: DataType { .int32 }
}

extension Int64: TensorElement {
  /// `int64`.
  public static var dataType: DataType { .int64 }
}

extension UInt8: TensorElement {
  /// `uint8`.
  public static var dataType: DataType { .uint8 }
}

extension UInt16: TensorElement {
  /// `uint16`.
  public static var dataType: DataType { .uint16 }
}

extension UInt32: TensorElement {
  /// `uint32`.
  public static var dataType: DataType { .uint32 }
}

extension UInt64: TensorElement {
  /// `uint64`.
  public static var dataType: DataType { .uint64 }
}

extension Bool: TensorElement {
  /// `bool`.
  public static var dataType: DataType { .bool }
}

/// The type of a tensor: elements, shape and quantization.
public struct TensorType: Hashable, Sendable {
  /// The type of an element.
  public var dataType: DataType
  /// The extent of each axis.
  public var shape: Shape
  /// The quantization of stored integers; nil for plain numbers.
  public var quantization: Quantization?

  /// - Parameter quantization: what stored integers stand for; nil when they stand for themselves.
  public init(_ dataType: DataType, _ shape: Shape, quantization: Quantization? = nil) {
    self.dataType = dataType
    self.shape = shape
    self.quantization = quantization
  }

  /// Bytes of the elements, densely stored.
  public var byteCount: Int { shape.elementCount * dataType.byteCount }
}

extension TensorType: CustomStringConvertible {
  /// The element's type and the shape, with scale and zero point where there are such.
  public var description: String {
    let quantized = quantization.map {
      $0.isPerChannel ? " per channel" : " scale \($0.scale) zero point \($0.zeroPoint)"
    }
    return "\(dataType.rawValue)\(shape)\(quantized ?? "")"
  }
}

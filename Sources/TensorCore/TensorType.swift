/// What is known of a tensor before it has any elements.
public struct TensorType: Hashable, Sendable {
  public var dataType: DataType
  public var shape: Shape
  public var quantization: Quantization?

  public init(_ dataType: DataType, _ shape: Shape, quantization: Quantization? = nil) {
    self.dataType = dataType
    self.shape = shape
    self.quantization = quantization
  }

  /// Bytes of the elements, densely stored.
  public var byteCount: Int { shape.elementCount * dataType.byteCount }
}

extension TensorType: CustomStringConvertible {
  public var description: String {
    let quantized = quantization.map {
      $0.isPerChannel ? " per channel" : " scale \($0.scale) zero point \($0.zeroPoint)"
    }
    return "\(dataType.rawValue)\(shape)\(quantized ?? "")"
  }
}

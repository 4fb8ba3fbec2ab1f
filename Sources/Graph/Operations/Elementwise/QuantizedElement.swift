import TensorCore

/// An integer type that quantized tensors store.
package protocol QuantizedElement: FixedWidthInteger, TensorElement {}

extension Int8: QuantizedElement {}
extension UInt8: QuantizedElement {}
extension Int16: QuantizedElement {}

extension TensorType {
  /// Whether elements of this type stand for scaled numbers: int8 and uint8 do; int16 without a scale is a plain
  /// integer.
  var isQuantizedInteger: Bool {
    dataType == .int16 ? quantization != nil : dataType.quantizedRange != nil
  }

  /// The one scale and zero point of a quantized tensor.
  /// - Parameter symmetric16: whether int16 must have zero point 0, as TFLite demands of most operations.
  /// - Throws: ``ApusError`` when there is none, there are several, or the zero point is not a value of the
  ///   type.
  func uniformQuantization(_ what: String, symmetric16: Bool = true) throws(ApusError) -> Quantization {
    guard let range = dataType.quantizedRange else {
      throw ApusError(
        .unsupportedModel, "\(what) is a tensor of \(dataType.rawValue)", expected: "int8, uint8 or int16")
    }
    guard let quantization else {
      throw ApusError(.malformedModel, "\(what) of type \(dataType.rawValue) has no scale and zero point")
    }
    guard !quantization.isPerChannel else {
      throw ApusError(
        .unsupportedModel, "\(what) has \(quantization.scales.count) scales", expected: "one scale")
    }
    let allowed = dataType == .int16 && symmetric16 ? 0...0 : range
    guard allowed.contains(quantization.zeroPoint) else {
      throw ApusError(
        .malformedModel, "\(what) of type \(dataType.rawValue) has zero point \(quantization.zeroPoint)",
        expected: allowed.count == 1 ? "0" : "\(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return quantization
  }
}

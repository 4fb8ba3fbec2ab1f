import TensorCore

extension TensorType {
  /// By what rows of an int8 table are multiplied when they are looked up as float32: a number for all, or one for each.
  func tableScales() throws(ApusError) -> [Float] {
    guard let quantization, quantization.zeroPoints.allSatisfy({ $0 == 0 }),
      !quantization.isPerChannel || quantization.axis == 0 && quantization.scales.count == shape[0]
    else {
      throw ApusError(
        .unsupportedModel, "a table \(self) looked up as float32",
        expected: "int8 with zero point 0 and a scale for the table or for each row")
    }
    return quantization.scales
  }
}

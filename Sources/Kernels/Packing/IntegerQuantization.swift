import TensorCore

/// How a quantized linear operation maps integers: the parameters of TFLite's quantized convolution and
/// fully connected layers.
package struct IntegerQuantization: Sendable {
  package var inputZeroPoint: Int32
  package var inputIsSigned: Bool
  /// Of the weights; they are int8, or uint8 when `weightsAreSigned` is false.
  package var weightZeroPoint: Int32
  package var weightsAreSigned: Bool
  package var outputZeroPoint: Int32
  /// The range of results, which the fused activation narrows.
  package var low: Int32
  package var high: Int32
  /// input scale × weight scale ÷ output scale: one for each output channel.
  package var multipliers: [FixedPointMultiplier]
  package var rounding: FixedPointMultiplier.Rounding

  package init(
    inputZeroPoint: Int32, inputIsSigned: Bool, weightZeroPoint: Int32, weightsAreSigned: Bool,
    outputZeroPoint: Int32, low: Int32, high: Int32, multipliers: [FixedPointMultiplier],
    rounding: FixedPointMultiplier.Rounding = .twice
  ) {
    self.inputZeroPoint = inputZeroPoint
    self.inputIsSigned = inputIsSigned
    self.weightZeroPoint = weightZeroPoint
    self.weightsAreSigned = weightsAreSigned
    self.outputZeroPoint = outputZeroPoint
    self.low = low
    self.high = high
    self.multipliers = multipliers
    self.rounding = rounding
  }

  /// The zero point of the input as the kernels see it, as unsigned bytes.
  var unsignedInputZeroPoint: Int32 { inputZeroPoint &+ (inputIsSigned ? 128 : 0) }
  /// The zero point of the weights as the kernels see them, as signed bytes.
  var signedWeightZeroPoint: Int32 { weightZeroPoint &- (weightsAreSigned ? 0 : 128) }
  /// The zero point of the results as they are counted from -128, where their type begins.
  var countedZeroPoint: Int32 { outputZeroPoint &- low &- 128 }
  /// Whether results are limited by their type alone.
  var isWholeRange: Bool { (low, high) == (-128, 127) || (low, high) == (0, 255) }
  /// Whether sums below zero, which are rounded otherwise when halves go away from zero, can show: when results
  /// below the zero point are not cut off.
  var changesRounding: Bool { rounding == .twice && low < outputZeroPoint }
}

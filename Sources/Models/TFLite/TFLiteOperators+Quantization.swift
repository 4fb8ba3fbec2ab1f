import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Changes of element type.
  static let quantization: [TFLiteBuiltin: Importer] = [
    .QUANTIZE: { _ in Quantize() },
    .DEQUANTIZE: { _ in Dequantize() },
    .FAKE_QUANT: { step throws(ApusError) in
      guard case .fakeQuantization(let minimum, let maximum, let bits, let narrowRange) = step.options else {
        throw step.optionsMismatch
      }
      return FakeQuantize(minimum: minimum, maximum: maximum, bitCount: bits, narrowRange: narrowRange)
    },
    .CAST: { step throws(ApusError) in Cast(to: try step.resultType()) },
    .BITCAST: { step throws(ApusError) in Bitcast(to: try step.resultType()) },
  ]
}

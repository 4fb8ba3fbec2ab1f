import Formats
import Graph

extension TFLiteOperators {
  /// Changes of element type.
  static let quantization: [TFLiteOperatorDescriptor] = [
    .plain(.QUANTIZE, Quantize()),
    .plain(.DEQUANTIZE, Dequantize()),
    .reading(.FAKE_QUANT) { (options: FakeQuantOptions) in
      FakeQuantize(
        minimum: options.minimum, maximum: options.maximum, bitCount: options.bits,
        narrowRange: options.narrowRange)
    },
    .converting(.CAST) { Cast(to: $0) },
    .converting(.BITCAST) { Bitcast(to: $0) },
  ]
}

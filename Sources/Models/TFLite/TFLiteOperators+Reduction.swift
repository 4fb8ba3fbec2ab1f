import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Normalizations along an axis.
  static let normalization: [TFLiteOperatorDescriptor] = [
    .reading(.SOFTMAX) { (options: SoftmaxOptions) in Softmax(beta: options.beta) },
    .plain(.LOG_SOFTMAX, LogSoftmax()),
    .plain(.L2_NORMALIZATION, L2Normalization()),
    .reading(.LOCAL_RESPONSE_NORMALIZATION) { (options: LocalResponseNormalizationOptions) in
      LocalResponseNormalization(
        radius: options.radius, bias: options.bias, alpha: options.alpha, beta: options.beta)
    },
  ]

  /// Reductions over axes, and by segments.
  static let reduction: [TFLiteOperatorDescriptor] = [
    reduce(.MEAN, .mean),
    reduce(.SUM, .sum),
    reduce(.REDUCE_MAX, .max),
    reduce(.REDUCE_MIN, .min),
    reduce(.REDUCE_PROD, .product),
    reduce(.REDUCE_ANY, .any),
    reduce(.REDUCE_ALL, .all),
    .reading(.ARG_MAX) { (options: ArgumentExtremumOptions) throws(ApusError) in
      ArgExtremum(.maximum, outputType: try elements(options.outputType, of: "positions"))
    },
    .reading(.ARG_MIN) { (options: ArgumentExtremumOptions) throws(ApusError) in
      ArgExtremum(.minimum, outputType: try elements(options.outputType, of: "positions"))
    },
    .reading(.CUMSUM) { (options: CumsumOptions) in
      CumulativeSum(exclusive: options.exclusive, reverse: options.reverse)
    },
    .plain(.TOPK_V2, TopK()),
    .plain(.SEGMENT_SUM, SegmentSum()),
    .plain(.UNSORTED_SEGMENT_SUM, UnsortedSegment(.sum)),
    .plain(.UNSORTED_SEGMENT_PROD, UnsortedSegment(.product)),
    .plain(.UNSORTED_SEGMENT_MAX, UnsortedSegment(.max)),
    .plain(.UNSORTED_SEGMENT_MIN, UnsortedSegment(.min)),
  ]

  private static func reduce(_ builtin: TFLiteBuiltin, _ kind: Reduce.Kind) -> TFLiteOperatorDescriptor {
    .reading(builtin) { (options: ReducerOptions) in Reduce(kind, keepDimensions: options.keepDimensions) }
  }

  /// The type of a result's elements, for one that Apus computes with.
  static func elements(_ type: TFLiteTensorType, of result: String) throws(ApusError) -> DataType {
    guard let type = type.dataType else {
      throw ApusError(.unsupportedModel, "\(result) of type \(type.name)")
    }
    return type
  }
}

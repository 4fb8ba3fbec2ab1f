import Formats
import Graph
import TensorCore

extension TFLiteOperators {
  /// Normalizations along an axis.
  static let normalization: [TFLiteBuiltin: Importer] = [
    .SOFTMAX: { step throws(ApusError) in
      guard case .softmax(let beta) = step.options else { throw step.optionsMismatch }
      return Softmax(beta: beta)
    },
    .LOG_SOFTMAX: { _ in LogSoftmax() },
    .L2_NORMALIZATION: { _ in L2Normalization() },
    .LOCAL_RESPONSE_NORMALIZATION: { step throws(ApusError) in
      guard case .localResponseNormalization(let radius, let bias, let alpha, let beta) = step.options else {
        throw step.optionsMismatch
      }
      return LocalResponseNormalization(radius: radius, bias: bias, alpha: alpha, beta: beta)
    },
  ]

  /// Reductions over axes.
  static let reduction: [TFLiteBuiltin: Importer] = [
    .MEAN: { step throws(ApusError) in try reduce(.mean, step) },
    .SUM: { step throws(ApusError) in try reduce(.sum, step) },
    .REDUCE_MAX: { step throws(ApusError) in try reduce(.max, step) },
    .REDUCE_MIN: { step throws(ApusError) in try reduce(.min, step) },
    .REDUCE_PROD: { step throws(ApusError) in try reduce(.product, step) },
    .REDUCE_ANY: { step throws(ApusError) in try reduce(.any, step) },
    .REDUCE_ALL: { step throws(ApusError) in try reduce(.all, step) },
    .ARG_MAX: { step throws(ApusError) in ArgMax(outputType: try positionType(step)) },
    .ARG_MIN: { step throws(ApusError) in ArgMin(outputType: try positionType(step)) },
    .CUMSUM: { step throws(ApusError) in
      guard case .cumulativeSum(let exclusive, let reverse) = step.options else { throw step.optionsMismatch }
      return CumulativeSum(exclusive: exclusive, reverse: reverse)
    },
    .TOPK_V2: { _ in TopK() },
  ]

  private static func reduce(_ kind: Reduce.Kind, _ step: TFLiteStep) throws(ApusError) -> any Operation {
    guard case .reduce(let keepDimensions) = step.options else { throw step.optionsMismatch }
    return Reduce(kind, keepDimensions: keepDimensions)
  }

  private static func positionType(_ step: TFLiteStep) throws(ApusError) -> DataType {
    guard case .argumentExtremum(let type) = step.options else { throw step.optionsMismatch }
    guard let dataType = type.dataType else {
      throw ApusError(.unsupportedModel, "positions of type \(type.name)")
    }
    return dataType
  }
}

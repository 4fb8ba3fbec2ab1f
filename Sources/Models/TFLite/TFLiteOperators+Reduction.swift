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
    .inspecting(.STABLEHLO_REDUCE_WINDOW) { (options: WindowOptions, step) throws(ApusError) in
      let builtin = try step.combination(options.body)
      guard let builtin, let kind = windowKinds[builtin] else {
        throw ApusError(.unsupportedModel, "subgraph \(options.body), which is none of \(windowNames)")
      }
      return ReduceWindow(kind, axes: try axes(options))
    },
  ]

  private static let windowKinds: [TFLiteBuiltin: ReduceWindow.Kind] = [
    .ADD: .sum, .MUL: .product, .MINIMUM: .min, .MAXIMUM: .max, .LOGICAL_AND: .all, .LOGICAL_OR: .any,
  ]

  private static var windowNames: String { windowKinds.keys.map(\.name).sorted().joined(separator: ", ") }

  private static func axes(_ options: WindowOptions) throws(ApusError) -> [WindowAxis] {
    let rank = options.sizes.count
    let lists = [options.strides, options.inputSteps, options.windowSteps]
    guard lists.allSatisfy({ $0.isEmpty || $0.count == rank }),
      options.padding.isEmpty || options.padding.count == 2 * rank
    else {
      throw ApusError(
        .malformedModel, "windows of \(rank) axes with other numbers of strides, steps or padding")
    }
    return (0..<rank).map { index in
      var axis = WindowAxis()
      axis.size = options.sizes[index]
      if !options.strides.isEmpty { axis.stride = options.strides[index] }
      if !options.inputSteps.isEmpty { axis.inputStep = options.inputSteps[index] }
      if !options.windowSteps.isEmpty { axis.windowStep = options.windowSteps[index] }
      if !options.padding.isEmpty {
        axis.padding = (options.padding[2 * index], options.padding[2 * index + 1])
      }
      return axis
    }
  }

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

import Kernels
import TensorCore

/// 2-D convolution of each channel by filters of its own, over NHWC images: operands x, weights
/// [1, kh, kw, O], bias [O] (optional). Channel c makes results c × multiplier ..< (c + 1) × multiplier, with
/// multiplier = O / C.
package struct DepthwiseConvolution2D: ImageConvolution {
  package var attributes: ConvolutionAttributes
  package var name: String { "depthwiseConv2D" }

  package init(_ attributes: ConvolutionAttributes) { self.attributes = attributes }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...3)
    let geometry = try geometry(operands)
    if !hasFloatSums(operands) || geometry.filtersPerGroup > 1 { try attributes.activation.requireClamp() }
    let result = try operands.declaredResult(Shape(geometry.outputShape))
    try linear(operands, geometry, result).check()
    return [result]
  }

  /// The same convolution that does what follows it as it stores; nil where no kernel for it does.
  func applying(_ function: Activation, _ operands: Operands) -> DepthwiseConvolution2D? {
    guard attributes.activation == .none, hasFloatSums(operands),
      (try? geometry(operands))?.filtersPerGroup == 1
    else { return nil }
    return with(\.activation, function)
  }

  package func geometry(_ operands: Operands) throws(ApusError) -> ConvolutionGeometry {
    try ConvolutionGeometry(
      input: operands.input(0).shape, weights: operands.input(1).shape, attributes
    ) { (input, weights) throws(ApusError) in
      guard weights[0] == 1, input[3] > 0, weights[3] > 0, weights[3] % input[3] == 0 else {
        throw ApusError(
          .malformedModel, "depthwise weights \(weights) over an input of \(input[3]) channels",
          expected: "[1, height, width, a multiple of \(input[3])]")
      }
      return (input[3], weights[3])
    }
  }

  private func linear(
    _ operands: Operands, _ geometry: ConvolutionGeometry, _ result: TensorType
  ) throws(ApusError) -> LinearTypes {
    try LinearTypes(
      operands, result: result, columns: geometry.outputChannels, depth: geometry.taps, channelAxis: 3)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let geometry = try geometry(context.operands)
    let linear = try linear(context.operands, geometry, context.results[0])
    if linear.form == .integer16 {
      let hasKernel = try linear.wideScalings(context) != nil
      guard hasKernel, geometry.taps <= PackedDepthwise.mostTapsOfInteger16 else {
        return try Integer16Convolution(
          context, geometry, linear, activation: attributes.activation, filterStride: 1,
          tapStride: geometry.outputChannels
        ).lowering()
      }
    }
    if geometry.filtersPerGroup > 1 {
      return try grouped(context, geometry, linear)
    }
    let rows = try DepthwiseRows(context, geometry, linear, attributes.activation)
    return linear.form == .dynamicInteger8 ? rows.dynamicLowering() : rows.lowering()
  }

  /// Several filters a channel: a convolution with as many groups as channels, its weights transposed to
  /// [O, kh, kw, 1].
  private func grouped(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ linear: LinearTypes
  ) throws(ApusError) -> Lowering {
    let tensor = try context.operands.requireConstant(1, "the weights")
    let size = tensor.dataType.byteCount
    let transposed = try Tensor(tensor.type) { target in
      for tap in 0..<geometry.taps {
        for filter in 0..<geometry.outputChannels {
          let source = (tap * geometry.outputChannels + filter) * size
          target.baseAddress?.advanced(by: (filter * geometry.taps + tap) * size)
            .copyMemory(from: tensor.bytes.baseAddress.unsafelyUnwrapped + source, byteCount: size)
        }
      }
    }
    var constants = context.operands.constants
    constants[1] = transposed
    let context = LoweringContext(
      operands: Operands(
        inputs: context.operands.inputs, constants: constants, declared: context.operands.declared),
      results: context.results, kernels: context.kernels, threads: context.threads,
      packedWeights: context.packedWeights)
    let product = try linear.product(context, groups: geometry.groups, activation: attributes.activation)
    if linear.form == .dynamicInteger8 {
      return DynamicConvolution(
        geometry: geometry, product: product, kernels: context.kernels.integer, isAsymmetric: true
      )
      .lowering(threads: context.threads)
    }
    let padding = linear.form == .integer8 ? linear.inputZeroPoint : 0
    return PatchConvolution(
      geometry: geometry, product: product, paddingByte: UInt8(truncatingIfNeeded: padding)
    ).lowering(threads: context.threads)
  }
}

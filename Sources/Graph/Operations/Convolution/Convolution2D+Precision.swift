import Kernels
import TensorCore

extension Convolution2D {
  /// Up to so many channels in a group, as an image's pixels have, products stay float32: the first convolution has a
  /// small part in a model's time and stands before all others' errors.
  private static let pixelChannels = 4

  /// Float32 images take the precision, but for those of few channels in a group.
  package func packedFormat(
    _ operands: Operands, _ precision: Precision, _ kernels: KernelSet
  ) -> WeightFormat? {
    guard let geometry = try? geometry(operands),
      let result = try? operands.declaredResult(Shape(geometry.outputShape)),
      let linear = try? LinearTypes(
        operands, result: result, columns: geometry.outputChannels, depth: geometry.depth),
      linear.form == .float32
    else { return nil }
    guard geometry.channelsPerGroup > Self.pixelChannels else { return .float32 }
    return WeightFormat(precision, depth: geometry.depth)
  }

  /// Float32 images multiplied in bfloat16 or int8. A 1×1 convolution is a linear layer of the pixels, each of which has
  /// a scale of its own in int8; under a larger window an image is converted once, in int8 with one scale and zero point
  /// for all of it, because a patch's sum goes over several pixels.
  /// - Returns: nil where products are float32's.
  func narrow(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry
  ) throws(ApusError) -> Lowering? {
    guard let format = packedFormat(context.operands, context.precision, context.kernels), format != .float32
    else { return nil }
    // A window of one pixel may leave pixels out. A pair of bfloat16 numbers would take the second from behind a patch.
    let isStaged = geometry.taps == 1 || format == .bfloat16 && geometry.depth % 2 != 0
    let product = try product(context, geometry, format, rows: isStaged ? .float32 : .converted)
    let hasResidual = context.operands.has(3)
    if geometry.isPointwise {
      return PointwiseConvolution(geometry: geometry, product: product, hasResidual: hasResidual)
        .lowering(threads: context.threads)
    }
    if isStaged {
      return PatchConvolution(geometry: geometry, product: product, paddingByte: 0, hasResidual: hasResidual)
        .lowering(threads: context.threads)
    }
    return ConvertedConvolution(
      geometry: geometry, product: product, kernels: context.kernels, hasResidual: hasResidual
    ).lowering(threads: context.threads)
  }

  private func product(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ format: WeightFormat,
    rows: MatrixProduct.FloatRows
  ) throws(ApusError) -> MatrixProduct {
    let weights = try context.operands.requireConstant(1, "the weights")
    let bias = context.operands.has(2) ? try context.operands.requireConstant(2, "the bias") : nil
    let bounds = attributes.activation.floatRange
    let shelf = context.shelf(
      [weights, bias], columns: geometry.filtersPerGroup, depth: geometry.depth, format,
      rule: [geometry.groups, LinearTypes.Form.float32.rawValue])
    return try weights.withBytes { (bytes) throws(ApusError) -> MatrixProduct in
      try MatrixProduct(
        format, of: bytes, weights.dataType, rows: rows, groups: geometry.groups,
        columns: geometry.filtersPerGroup, depth: geometry.depth, bias: bias?.floats(), low: bounds.lower,
        high: bounds.upper, activation: attributes.activation.kernelFunction,
        kernels: context.kernels,
        threads: context.threads, keptIn: shelf)
    }
  }
}

import Kernels
import TensorCore

/// 2-D convolution over NHWC images: operands x, weights [O, kh, kw, C / groups], bias [O] (optional), and a
/// float32 tensor shaped like the result that is added before the activation (optional).
///
/// Float32 (weights float32, float16, or int8 with dynamically quantized activations), int8, uint8, and
/// int16 activations with int8 weights; the integer forms are TFLite's, bit for bit. Float32 is multiplied in the
/// precision that is asked for.
package struct Convolution2D: ImageConvolution, ResidualAddingOperation {
  package var attributes: ConvolutionAttributes
  package var name: String { "conv2D" }

  package init(_ attributes: ConvolutionAttributes) { self.attributes = attributes }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...4)
    if !hasFloatSums(operands) { try attributes.activation.requireClamp() }
    let geometry = try geometry(operands)
    let result = try operands.declaredResult(Shape(geometry.outputShape))
    if operands.has(3) {
      let residual = try operands.input(3)
      guard residual.dataType == .float32, residual.shape == result.shape, result.dataType == .float32 else {
        throw ApusError(.malformedModel, "a residual \(residual)", expected: "float32\(result.shape)")
      }
    }
    try LinearTypes(operands, result: result, columns: geometry.outputChannels, depth: geometry.depth).check()
    return [result]
  }

  /// A residual can be added when sums are float and not yet limited.
  func canAddResidual(_ operands: Operands, then activation: Activation) -> Bool {
    attributes.activation == .none && !operands.has(3) && hasFloatSums(operands)
  }

  /// The same convolution that does what follows it as it stores; nil where sums are not float32's.
  func applying(_ function: Activation, _ operands: Operands) -> Convolution2D? {
    guard attributes.activation == .none, hasFloatSums(operands) else { return nil }
    return with(\.activation, function)
  }

  func addingResidual(then activation: Activation) -> any Operation { with(\.activation, activation) }

  var residualIndex: Int { 3 }

  package func geometry(_ operands: Operands) throws(ApusError) -> ConvolutionGeometry {
    try ConvolutionGeometry(
      input: operands.input(0).shape, weights: operands.input(1).shape, attributes
    ) { (input, weights) throws(ApusError) in
      guard weights[3] > 0, input[3] > 0, input[3] % weights[3] == 0, weights[0] > 0,
        weights[0] % (input[3] / weights[3]) == 0
      else {
        throw ApusError(
          .malformedModel, "weights \(weights) over an input of \(input[3]) channels",
          expected: "filters whose channels divide the input's, in as many equal groups")
      }
      return (input[3] / weights[3], weights[0])
    }
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let geometry = try geometry(context.operands)
    let linear = try LinearTypes(
      context.operands, result: context.results[0], columns: geometry.outputChannels, depth: geometry.depth)
    if linear.form == .integer16, try linear.wideScalings(context) == nil {
      return try integer16(context, geometry, linear)
    }
    if let narrow = try narrow(context, geometry) { return narrow }
    let product = try linear.product(context, groups: geometry.groups, activation: attributes.activation)
    let hasResidual = context.operands.has(3)
    if linear.form == .dynamicInteger8 {
      return DynamicConvolution(
        geometry: geometry, product: product, kernels: context.kernels.integer,
        isAsymmetric: linear.hasDifferentScales
      )
      .lowering(threads: context.threads)
    }
    if geometry.isPointwise {
      return PointwiseConvolution(geometry: geometry, product: product, hasResidual: hasResidual)
        .lowering(threads: context.threads)
    }
    if let direct = DirectConvolution(geometry, product, hasResidual: hasResidual) {
      return direct.lowering()
    }
    let padding = linear.form == .integer8 ? linear.inputZeroPoint : 0
    return PatchConvolution(
      geometry: geometry, product: product, paddingByte: UInt8(truncatingIfNeeded: padding),
      hasResidual: hasResidual
    ).lowering(threads: context.threads)
  }
}

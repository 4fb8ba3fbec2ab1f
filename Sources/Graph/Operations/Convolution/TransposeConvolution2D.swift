import Kernels
import TensorCore

/// The transpose of a 2-D convolution over NHWC images: operands result shape (int32 [4], known when the
/// model is loaded), weights [O, kh, kw, C], x, bias [O] (optional).
///
/// Tap (i, j) of input pixel (y, x) adds to result pixel (y × stride + i − pad, x × stride + j − pad).
package struct TransposeConvolution2D: Operation {
  package let attributes: ConvolutionAttributes
  package var name: String { "transposeConv2D" }

  package init(padding: Padding, strideY: Int, strideX: Int, activation: Activation = .none) {
    attributes = ConvolutionAttributes(
      padding: padding, strideY: strideY, strideX: strideX, activation: activation)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...4)
    try attributes.activation.requireClamp()
    let shape = try Shape(operands.requireIntegers(0, "the result's shape"))
    let result = try operands.declaredResult(shape)
    let geometry = try geometry(operands, shape)
    try linear(operands, result, geometry).check()
    return [result]
  }

  /// The convolution from the result to x whose transpose this is.
  private func geometry(_ operands: Operands, _ result: Shape) throws(ApusError) -> ConvolutionGeometry {
    let input = try operands.input(2).shape
    let geometry = try ConvolutionGeometry(
      input: result, weights: operands.input(1).shape, attributes
    ) { (result, weights) throws(ApusError) in
      guard weights[0] == result[3], weights[0] > 0, weights[3] > 0 else {
        throw ApusError(
          .malformedModel, "weights \(weights) for a result \(result)",
          expected: "as many filters as result channels")
      }
      return (1, weights[3])
    }
    guard input.dimensions == geometry.outputShape else {
      throw ApusError(
        .malformedModel, "an input \(input) for a transposed convolution to \(result)",
        expected: "\(geometry.outputShape)")
    }
    return geometry
  }

  private func linear(
    _ operands: Operands, _ result: TensorType, _ geometry: ConvolutionGeometry
  ) throws(ApusError) -> LinearTypes {
    let linear = try LinearTypes(
      operands, result: result, columns: geometry.inputChannels,
      depth: geometry.taps * geometry.outputChannels, at: (input: 2, weights: 1, bias: 3))
    guard linear.form != .dynamicInteger8 else {
      throw ApusError(.unsupportedModel, "a transposed convolution of float32 by int8 weights")
    }
    return linear
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0, 1, 3] }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let result = results.first, let geometry = try? geometry(operands, result.shape) else { return 0 }
    return geometry.multiplyAccumulates()
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    let geometry = try geometry(context.operands, result.shape)
    let linear = try linear(context.operands, result, geometry)
    if linear.form == .float32 {
      return try FloatTransposeConvolution(context, geometry, attributes.activation).lowering()
    }
    let loops = try IntegerTransposeConvolution(context, geometry, linear, attributes.activation)
    return loops.lowering(result.dataType)
  }
}

import Kernels
import TensorCore

/// Rows times a matrix: operands x [..., K], weights [O, K], bias [O] (optional); the result is [rows, O], or
/// [..., O] when the dimensions are kept. A row is K consecutive elements, however x is shaped. Weights of float32 may be
/// computed while the model runs.
package struct FullyConnected: Operation {
  package let activation: Activation
  package let keepsDimensions: Bool
  /// Whether dynamically quantized rows may have a zero point.
  package let asymmetricInputs: Bool
  package var name: String { "fullyConnected" }
  package var resultMeaning: ResultMeaning { .activated(activation) }

  package init(
    activation: Activation = .none, keepsDimensions: Bool = false, asymmetricInputs: Bool = false
  ) {
    self.activation = activation
    self.keepsDimensions = keepsDimensions
    self.asymmetricInputs = asymmetricInputs
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...3)
    try activation.requireClamp()
    let input = try operands.input(0).shape
    let weights = try operands.input(1).shape
    guard weights.rank == 2, weights[0] > 0, weights[1] > 0, input.elementCount % weights[1] == 0 else {
      throw ApusError(
        .malformedModel, "weights \(weights) for an input \(input)",
        expected: "[outputs, a divisor of the \(input.elementCount) input elements]")
    }
    var dimensions = [input.elementCount / weights[1], weights[0]]
    if keepsDimensions {
      guard input.dimensions.last == weights[1] else {
        throw ApusError(
          .malformedModel, "an input \(input)", expected: "a last dimension of \(weights[1])")
      }
      dimensions = input.dimensions.dropLast() + [weights[0]]
    }
    let result = try operands.declaredResult(Shape(dimensions))
    try linear(operands, result).check()
    return [result]
  }

  private func linear(_ operands: Operands, _ result: TensorType) throws(ApusError) -> LinearTypes {
    let weights = try operands.input(1).shape
    return try LinearTypes(
      operands, result: result, columns: weights[0], depth: weights[1], rounding: .once)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { operands.constant(1) == nil ? [] : [1, 2] }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let weights = operands.inputs[1]?.shape, let result = results.first else { return 0 }
    return [result.shape.elementCount, weights[1]].saturatingProduct
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let linear = try linear(context.operands, context.results[0])
    let rows = try context.operands.input(0).shape.elementCount / linear.depth
    if context.operands.constant(1) == nil { return try computedLowering(context, linear, rows: rows) }
    if linear.form == .integer16, try linear.wideScalings(context) == nil {
      return try integer16(context, linear, rows: rows)
    }
    let product = try linear.product(context, groups: 1, activation: activation)
    if linear.form == .dynamicInteger8 {
      return dynamicLowering(product, rows: rows, linear, context)
    }
    let depth = linear.depth
    let columns = linear.columns
    let sumBytes = (rows * 4 + 63) / 64 * 64
    return Lowering(
      product, scratchByteCount: sumBytes + product.scratchByteCount(rows: rows, threads: context.threads)
    ) { arguments in
      guard let input = arguments.inputAddress(0) else { return }
      var block = MatrixProduct.Rows(
        count: rows, address: input, stride: depth * product.inputBytes, result: arguments.outputAddress(0),
        resultStride: columns * product.outputBytes)
      block.sums = arguments.scratch.assumingMemoryBound(to: Int32.self)
      block.scratch = arguments.scratch + sumBytes
      product.multiply(block, threads: arguments.threads)
    }
  }

  private func integer16(
    _ context: LoweringContext, _ linear: LinearTypes, rows: Int
  ) throws(ApusError) -> Lowering {
    let geometry = try ConvolutionGeometry(
      input: Shape([rows, 1, 1, linear.depth]), weights: Shape([linear.columns, 1, 1, linear.depth]),
      ConvolutionAttributes(padding: .valid)
    ) { (_, _) throws(ApusError) in (1, linear.columns) }
    return try Integer16Convolution(
      context, geometry, linear, activation: activation, filterStride: linear.depth, tapStride: linear.depth
    ).lowering()
  }

  private func dynamicLowering(
    _ product: MatrixProduct, rows: Int, _ linear: LinearTypes, _ context: LoweringContext
  ) -> Lowering {
    let depth = linear.depth
    let columns = linear.columns
    let isAsymmetric = asymmetricInputs
    let threads = context.threads
    let kernels = context.kernels.integer
    let parameterBytes = (rows * 8 + 63) / 64 * 64
    // Kernels read up to a vector past a row.
    let rowBytes = (rows * depth + 127) / 64 * 64
    return Lowering(
      product,
      scratchByteCount: parameterBytes + rowBytes + product.scratchByteCount(rows: rows, threads: threads)
    ) { arguments in
      let input = arguments.input(0, as: Float.self)
      let scales = arguments.scratch.assumingMemoryBound(to: Float.self)
      let zeroPoints = (arguments.scratch + rows * 4).assumingMemoryBound(to: Int32.self)
      let stored = (arguments.scratch + parameterBytes).assumingMemoryBound(to: Int8.self)
      for row in 0..<rows {
        let values = UnsafeBufferPointer(rebasing: input[(row * depth)..<((row + 1) * depth)])
        let parameters: DynamicQuantization.Parameters =
          isAsymmetric ? .asymmetric(values, kernels) : .symmetric(values, kernels)
        parameters.quantize(values, to: stored + row * depth, kernels)
        scales[row] = parameters.scale
        zeroPoints[row] = parameters.zeroPoint + 128
      }
      var block = MatrixProduct.Rows(
        count: rows, address: stored, stride: depth, result: arguments.outputAddress(0),
        resultStride: columns * 4)
      block.scratch = arguments.scratch + (parameterBytes + rowBytes)
      block.scales = UnsafePointer(scales)
      block.zeroPoints = UnsafePointer(zeroPoints)
      product.multiply(block, threads: arguments.threads)
    }
  }
}

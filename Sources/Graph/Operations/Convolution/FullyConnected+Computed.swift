import TensorCore

extension FullyConnected {
  /// The product with a matrix that is computed while the model runs: attention of one head is written so.
  func computedLowering(
    _ context: LoweringContext, _ linear: LinearTypes, rows: Int
  ) throws(ApusError) -> Lowering {
    guard linear.weights.dataType == .float32, linear.bias?.dataType ?? .float32 == .float32 else {
      _ = try context.operands.requireConstant(1, "the weights")
      throw .unsupportedType(linear.weights.dataType)
    }
    let layout = try MatrixLayout(
      Shape([rows, linear.depth]), Shape([linear.columns, linear.depth]), transposeA: false, transposeB: true)
    let bias = linear.bias == nil ? nil : 2
    let product = FloatMatMul(layout, activation: activation, context)
    return Lowering(
      "\(name) computed \(product.kernelName)", products: .float32, scratchByteCount: product.scratchByteCount
    ) { arguments in product.run(arguments, bias: bias) }
  }
}

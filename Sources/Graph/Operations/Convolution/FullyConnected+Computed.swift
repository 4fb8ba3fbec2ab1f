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
    let hasBias = linear.bias != nil
    let clamp = FloatClamp(activation)
    return Lowering(MatrixLayout.floatKernel("\(name) computed"), products: .float32) { arguments in
      guard let a = arguments.input(0, as: Float.self).baseAddress,
        let b = arguments.input(1, as: Float.self).baseAddress,
        let c = arguments.output(0, as: Float.self).baseAddress
      else { return }
      layout.multiply(0, a, b, c)
      for row in 0..<rows {
        let line = UnsafeMutableBufferPointer(start: c + row * layout.columns, count: layout.columns)
        if hasBias {
          let bias = arguments.input(2, as: Float.self)
          for column in line.indices { line[column] += bias[column] }
        }
        for column in line.indices { line[column] = clamp(line[column]) }
      }
    }
  }
}

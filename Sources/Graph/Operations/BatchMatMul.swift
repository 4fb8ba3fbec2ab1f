import TensorCore

/// Matrix products over the last two axes; the axes before them broadcast.
///
/// float32; quantized int8 to int8 or to plain int32 sums, quantized int16 by int16 or int8; and hybrid:
/// float32 by quantized int8, where each row of the first operand is brought to int8 while the model runs.
/// Source of the integer rules: TFLite's reference `BatchMatMul`.
package struct BatchMatMul: Operation {
  package let transposeA: Bool
  package let transposeB: Bool
  package let asymmetricQuantizeInputs: Bool
  package var name: String { "batchMatMul" }

  /// - Parameters:
  ///   - transposeA: whether the last two axes of operand 0 are swapped.
  ///   - transposeB: the same of operand 1.
  ///   - asymmetricQuantizeInputs: whether hybrid rows get a zero point.
  package init(transposeA: Bool = false, transposeB: Bool = false, asymmetricQuantizeInputs: Bool = false) {
    self.transposeA = transposeA
    self.transposeB = transposeB
    self.asymmetricQuantizeInputs = asymmetricQuantizeInputs
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let a = try operands.input(0, of: [.float32, .int8, .int16])
    let b = try operands.input(1, of: [.float32, .int8, .int16])
    let layout = try MatrixLayout(a.shape, b.shape, transposeA: transposeA, transposeB: transposeB)
    switch (a.dataType, b.dataType) {
    case (.float32, .float32): return [try operands.result(layout.shape, of: .float32)]
    case (.float32, .int8):
      _ = try HybridMatMul(b, layout, transposeB: transposeB, isAsymmetric: asymmetricQuantizeInputs)
      return [try operands.result(layout.shape, of: .float32)]
    case (.int8, .int8), (.int16, .int16), (.int16, .int8):
      let result = try operands.declaredResult(layout.shape)
      if a.dataType == .int8, result.dataType == .int32 { return [result] }
      guard result.dataType == a.dataType else { throw .unsupportedType(result.dataType) }
      _ = try QuantizedMatMul(a, b, result)
      return [result]
    default:
      throw ApusError(
        .unsupportedModel, "\(a.dataType.rawValue) by \(b.dataType.rawValue)",
        expected: "float32 by float32 or int8, int8 by int8, int16 by int16 or int8")
    }
  }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let a = try? operands.input(0).shape, let result = results.first, a.rank >= 2 else { return 0 }
    return [result.shape.elementCount, a[transposeA ? a.rank - 2 : a.rank - 1]].saturatingProduct
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (a, b) = (try context.operands.input(0), try context.operands.input(1))
    let layout = try MatrixLayout(a.shape, b.shape, transposeA: transposeA, transposeB: transposeB)
    let kernel = "\(name) \(a.dataType.rawValue) \(b.dataType.rawValue)"
    let scratch = QuantizedMatMul.scratchByteCount(layout)
    switch (a.dataType, b.dataType) {
    case (.float32, .float32):
      return Lowering(MatrixLayout.floatKernel(kernel), products: .float32, body: Self.floatBody(layout))
    case (.float32, _):
      let hybrid = try HybridMatMul(b, layout, transposeB: transposeB, isAsymmetric: asymmetricQuantizeInputs)
      return Lowering(
        kernel, products: .int8, scratchByteCount: layout.matrices == 0 ? 0 : layout.depth,
        body: hybrid.body(layout))
    case (.int8, _) where context.result.dataType == .int32:
      return Lowering(
        kernel, products: .int8, scratchByteCount: scratch, body: QuantizedMatMul.plainBody(layout))
    case (.int8, _):
      return Lowering(
        kernel, products: .int8, scratchByteCount: scratch,
        body: try QuantizedMatMul(a, b, context.result).body8(layout))
    case (_, .int16):
      return Lowering(
        kernel, products: .int16, scratchByteCount: scratch,
        body: try QuantizedMatMul(a, b, context.result).body16(layout, Int16.self))
    default:
      return Lowering(
        kernel, products: .int16, scratchByteCount: scratch,
        body: try QuantizedMatMul(a, b, context.result).body16(layout, Int8.self))
    }
  }

  private static func floatBody(_ layout: MatrixLayout) -> Lowering.Body {
    return { arguments in
      guard let a = arguments.input(0, as: Float.self).baseAddress,
        let b = arguments.input(1, as: Float.self).baseAddress,
        let c = arguments.output(0, as: Float.self).baseAddress
      else { return }
      for matrix in 0..<layout.matrices {
        layout.multiply(matrix, a, b, c + matrix * layout.rows * layout.columns)
      }
    }
  }
}

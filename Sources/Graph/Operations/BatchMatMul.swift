import Kernels
import TensorCore

/// Matrix products over the last two axes; the axes before them broadcast.
///
/// float32, where a second operand that is one known matrix is packed beforehand; quantized int8 to int8, or int8 or uint8 by int8 to plain int32 sums; quantized int16 by int16 or int8; and hybrid:
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
    let a = try operands.input(0, of: [.float32, .int8, .int16, .uint8])
    let b = try operands.input(1, of: [.float32, .int8, .int16])
    let layout = try MatrixLayout(a.shape, b.shape, transposeA: transposeA, transposeB: transposeB)
    switch (a.dataType, b.dataType) {
    case (.float32, .float32): return [try operands.result(layout.shape, of: .float32)]
    case (.float32, .int8):
      _ = try HybridMatMul(b, layout, transposeB: transposeB, isAsymmetric: asymmetricQuantizeInputs)
      return [try operands.result(layout.shape, of: .float32)]
    case (.uint8, .int8):
      let result = try operands.declaredResult(layout.shape)
      guard result.dataType == .int32 else { throw .unsupportedType(result.dataType) }
      return [result]
    case (.int8, .int8), (.int16, .int16), (.int16, .int8):
      let result = try operands.declaredResult(layout.shape)
      if a.dataType == .int8, result.dataType == .int32 { return [result] }
      guard result.dataType == a.dataType else { throw .unsupportedType(result.dataType) }
      _ = try QuantizedMatMul(a, b, result)
      return [result]
    default:
      throw ApusError(
        .unsupportedModel, "\(a.dataType.rawValue) by \(b.dataType.rawValue)",
        expected: "float32 by float32 or int8, int8 by int8, int16 by int16 or int8, uint8 by int8 to int32")
    }
  }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let a = try? operands.input(0).shape, let result = results.first, a.rank >= 2 else { return 0 }
    return [result.shape.elementCount, a[transposeA ? a.rank - 2 : a.rank - 1]].saturatingProduct
  }

  /// The linear layer that a float product with one known matrix is; nil for others.
  private func linear(_ operands: Operands) -> Linear? {
    guard !transposeA, let a = operands.inputs.first ?? nil, let b = operands.constant(1),
      a.dataType == .float32, b.dataType == .float32, b.shape.rank == 2, b.shape.elementCount > 0
    else { return nil }
    return Linear(hasBias: false, weightsAreTransposed: !transposeB)
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { linear(operands) == nil ? [] : [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    if let linear = linear(context.operands) {
      // No precision but that of the operands: nothing says that these are weights.
      return try linear.lower(context.of(.float32))
    }
    let (a, b) = (try context.operands.input(0), try context.operands.input(1))
    let layout = try MatrixLayout(a.shape, b.shape, transposeA: transposeA, transposeB: transposeB)
    let kernel = "\(name) \(a.dataType.rawValue) \(b.dataType.rawValue)"
    let scratch = QuantizedMatMul.scratchByteCount(layout)
    switch (a.dataType, b.dataType) {
    case (.float32, .float32):
      let product = FloatMatMul(layout, context)
      return Lowering(
        "\(name) \(product.kernelName)", products: .float32, scratchByteCount: product.scratchByteCount
      ) { arguments in product.run(arguments) }
    case (.float32, _):
      let hybrid = try HybridMatMul(b, layout, transposeB: transposeB, isAsymmetric: asymmetricQuantizeInputs)
      return Lowering(
        kernel, products: .int8, scratchByteCount: layout.matrices == 0 ? 0 : layout.depth,
        body: hybrid.body(layout))
    case (.int8, _) where context.result.dataType == .int32, (.uint8, _):
      return Self.sums(layout, areSigned: a.dataType == .int8, context)
    case (.int8, _):
      let quantized = try QuantizedMatMul(a, b, context.result)
      if let lowering = quantized.lowering8(layout, context) { return lowering }
      return Lowering(
        kernel, products: .int8, scratchByteCount: scratch,
        body: quantized.body8(layout))
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

  /// Bytes by int8 to the sums themselves, without zero points.
  private static func sums(
    _ layout: MatrixLayout, areSigned: Bool, _ context: LoweringContext
  ) -> Lowering {
    let isOne = layout.isOneProduct
    let product = ComputedByteProduct(
      matrices: isOne ? min(layout.matrices, 1) : layout.matrices,
      rows: isOne ? layout.rows * layout.matrices : layout.rows, columns: layout.columns, depth: layout.depth,
      a: (layout.aSteps.row, layout.aSteps.depth), b: (layout.bSteps.column, layout.bSteps.depth),
      areSigned: areSigned, threads: context.threads, kernels: context.kernels)
    return Lowering(
      "batchMatMul \(product.name)", products: .int8, scratchByteCount: product.scratchByteCount
    ) {
      arguments in
      guard let a = arguments.inputAddress(0),
        let b = arguments.input(1, as: Int8.self).baseAddress,
        let c = arguments.output(0, as: Int32.self).baseAddress
      else { return }
      product.multiply(
        ComputedByteProduct.Operands(a: a, b: b, c: c, scratch: arguments.scratch),
        threads: arguments.threads,
        origins: layout.origins)
    }
  }
}

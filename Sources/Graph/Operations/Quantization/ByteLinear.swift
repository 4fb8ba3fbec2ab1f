import Kernels
import TensorCore

/// Rows of unsigned bytes, with a scale and a zero point that are found while the model runs, times a known matrix of int8.
///
/// Operands: x uint8 [..., K]; its scale, float32, and its zero point, uint8, of one element each; the weights, a constant
/// of int8 [K, O], or [O, K] unless `weightsAreTransposed`, with one scale or one for each of O; a bias float32 [O], a constant that
/// may be left out; if `addsResidual`, a float32 tensor shaped like the result. Result: float32 [..., O], the sums, which are
/// exact, times the product of both scales, and then the bias and the residual added, each rounded.
package struct ByteLinear: ResidualAddingOperation {
  package let activation: LinearActivation
  package let addsResidual: Bool
  /// Whether the weights are stored as [K, O].
  package let weightsAreTransposed: Bool
  package var name: String { "byteLinear" }

  package init(
    activation: LinearActivation = .none, addsResidual: Bool = false, weightsAreTransposed: Bool = true
  ) {
    (self.activation, self.addsResidual) = (activation, addsResidual)
    self.weightsAreTransposed = weightsAreTransposed
  }

  /// Sums of 255 × 128 × depth must fit 32 bits.
  package static let maximumDepth = 65_000

  private static let (weights, bias) = (3, 4)
  var residualIndex: Int { 5 }
  private var columnAxis: Int { weightsAreTransposed ? 1 : 0 }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(addsResidual ? 6...6 : 4...5)
    let x = try operands.input(0, of: [.uint8]).shape
    let scale = try operands.input(1, "the scale", of: [.float32]).shape
    let zero = try operands.input(2, "the zero point", of: [.uint8]).shape
    guard scale.elementCount == 1, zero.elementCount == 1 else {
      throw ApusError(.unsupportedModel, "scales \(scale) and zero points \(zero)", expected: "one for all")
    }
    let weights = try operands.input(Self.weights, "the weights", of: [.int8], rank: 2)
    let columns = weights.shape[columnAxis]
    guard let depth = x.dimensions.last, depth > 0, depth <= Self.maximumDepth, columns > 0,
      weights.shape[1 - columnAxis] == depth
    else {
      throw ApusError(
        .malformedModel, "weights \(weights) for rows of \(x)", expected: "as high as they are wide")
    }
    guard let quantization = weights.quantization, quantization.zeroPoints.allSatisfy({ $0 == 0 }),
      !quantization.isPerChannel || quantization.axis == columnAxis && quantization.scales.count == columns
    else {
      throw ApusError(.unsupportedModel, "weights \(weights)", expected: "one scale, or one for each column")
    }
    if operands.has(Self.bias) {
      let bias = try operands.input(Self.bias, "the bias", of: [.float32])
      guard bias.shape.elementCount == columns else {
        throw ApusError(.malformedModel, "a bias \(bias)", expected: "\(columns) elements")
      }
    }
    let shape = try Shape(x.dimensions.dropLast() + [columns])
    if addsResidual {
      let residual = try operands.input(residualIndex, of: [.float32]).shape
      guard residual == shape else {
        throw ApusError(.malformedModel, "a residual \(residual)", expected: "\(shape)")
      }
    }
    return [try operands.result(shape, of: .float32)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [Self.weights, Self.bias] }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let depth = operands.inputs[0]?.shape.dimensions.last, let result = results.first else { return 0 }
    return [result.shape.elementCount, depth].saturatingProduct
  }

  // MARK: What it does behind the sums

  /// The same layer with another function.
  func applying(_ activation: LinearActivation) -> ByteLinear {
    ByteLinear(
      activation: activation, addsResidual: addsResidual, weightsAreTransposed: weightsAreTransposed)
  }

  func canAddResidual(_ operands: Operands, then activation: FusedActivation) -> Bool {
    self.activation == .none && !addsResidual && (activation == .none || activation == .relu)
  }

  func addingResidual(then activation: FusedActivation) -> any Operation {
    ByteLinear(
      activation: activation == .relu ? .relu : .none, addsResidual: true,
      weightsAreTransposed: weightsAreTransposed)
  }

  // MARK: Preparing

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let x = try context.operands.input(0).shape
    let depth = x.dimensions.last ?? 1
    let columns = context.result.shape.dimensions.last ?? 1
    var product = MatrixProduct(
      ofBytes: try packed(context, depth: depth, columns: columns),
      activation: activation.kernelFunction, isRectified: activation == .relu, kernels: context.kernels)
    product.areKept = context.packedWeights != nil
    let rows = x.elementCount / depth
    // A scale and a zero point for each row, as kernels read them.
    let parameterBytes = TensorStorage.padded(8 * rows)
    let scratch = product.scratchByteCount(rows: rows, threads: context.threads)
    return Lowering(product, scratchByteCount: parameterBytes + scratch) {
      [product, residual = addsResidual ? residualIndex : nil] arguments in
      guard let x = arguments.inputAddress(0) else { return }
      let (scale, zero) = (arguments.input(1, as: Float.self)[0], arguments.input(2, as: UInt8.self)[0])
      let scales = arguments.scratch.bindMemory(to: Float.self, capacity: rows)
      let zeros = (arguments.scratch + 4 * rows).bindMemory(to: Int32.self, capacity: rows)
      scales.update(repeating: scale, count: rows)
      zeros.update(repeating: Int32(zero), count: rows)
      var block = MatrixProduct.Rows(
        count: rows, address: x, stride: depth, result: arguments.outputAddress(0), resultStride: 4 * columns)
      block.scratch = arguments.scratch + parameterBytes
      (block.scales, block.zeroPoints) = (UnsafePointer(scales), UnsafePointer(zeros))
      block.residual = residual.flatMap { arguments.inputAddress($0) }?.assumingMemoryBound(to: Float.self)
      product.multiply(block, threads: arguments.threads)
    }
  }

  /// What tells these weights from those of other layers.
  private static let rule = [2, 0]

  private func packed(
    _ context: LoweringContext, depth: Int, columns: Int
  ) throws(ApusError) -> PackedMatrix {
    let weights = try context.operands.requireConstant(Self.weights, "the weights")
    let bias =
      context.operands.has(Self.bias) ? try context.operands.requireConstant(Self.bias, "the bias") : nil
    let pack = { () throws(ApusError) -> PackedMatrix in
      let stored = weights.asStored
      defer { for tensor in [stored, bias?.asStored] { tensor?.discardMappedPages() } }
      let scales = weights.quantization?.scales ?? [1]
      let part = StoredColumns(
        stored.bytes, .int8, count: columns, self.weightsAreTransposed ? .byRows : .byColumns,
        scales: scales.count == columns ? scales : Array(repeating: scales[0], count: columns))
      return try PackedMatrix.linear(
        [part], depth: depth, bias: bias?.floats(), format: .int8, kernels: context.kernels,
        threads: context.threads)
    }
    guard let store = context.packedWeights else { return try pack() }
    let identity = PackedWeightIdentity(
      tensors: [weights, bias], columns: columns, depth: depth, .int8, context.kernels,
      rule: Self.rule + [weightsAreTransposed ? 1 : 0])
    return try store.matrix(for: identity, pack: pack)
  }
}

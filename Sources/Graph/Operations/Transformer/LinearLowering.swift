import CIntrinsics
import Kernels
import TensorCore

extension Linear {
  package func packedFormat(
    _ operands: Operands, _ precision: Precision, _ kernels: KernelSet
  ) -> WeightFormat? {
    guard let input = try? operands.input(0) else { return nil }
    return WeightFormat(precision, depth: input.shape.dimensions.last ?? 1)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let operands = context.operands
    let input = try operands.input(0).shape
    let depth = input.dimensions.last ?? 1
    let format = packedFormat(operands, context.precision, context.kernels) ?? .float32
    var product = MatrixProduct(
      try packedWeights(operands, depth: depth, format, context), format,
      activation: activation.kernelFunction, isRectified: activation == .relu, kernels: context.kernels)
    product.areKept = context.packedWeights != nil
    let rows = input.elementCount / depth
    let residualIndex = addsResidual ? residualIndex : nil
    let columns = context.result.shape.dimensions.last ?? 1
    let scratch = product.scratchByteCount(rows: rows, threads: context.threads)
    return Lowering(product, scratchByteCount: scratch) { [product] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      let result = arguments.outputAddress(0)
      let residual = residualIndex.flatMap { arguments.inputAddress($0) }
      var block = MatrixProduct.Rows(
        count: rows, address: input, stride: 4 * depth, result: result, resultStride: 4 * columns)
      block.scratch = arguments.scratch
      block.residual = residual?.assumingMemoryBound(to: Float.self)
      product.multiply(block, threads: arguments.threads)
    }
  }

  /// What tells weights [K, O] from those that have the same numbers as [O, K].
  private static let transposedRule = [1, 0]

  private func packedWeights(
    _ operands: Operands, depth: Int, _ format: WeightFormat, _ context: LoweringContext
  ) throws(ApusError) -> PackedMatrix {
    var layers: [Layer] = []
    for index in 0..<parts {
      let part = try LinearPart(operands, index, of: self, depth: depth)
      layers.append(Layer(part: part, weights: try part.weights(operands), bias: try part.bias(operands)))
    }
    let pack = { () throws(ApusError) -> PackedMatrix in try self.pack(layers, depth: depth, format, context)
    }
    guard let store = context.packedWeights else { return try pack() }
    let identity = PackedWeightIdentity(
      tensors: layers.flatMap { [$0.weights, $0.bias] }, columns: layers.reduce(0) { $0 + $1.part.columns },
      depth: depth, format, context.kernels, rule: weightsAreTransposed ? Self.transposedRule : [])
    return try store.matrix(for: identity, pack: pack)
  }

  /// A part with its constants.
  private struct Layer {
    let part: LinearPart
    let weights: Tensor
    let bias: Tensor?
  }

  private func pack(
    _ layers: [Layer], depth: Int, _ format: WeightFormat, _ context: LoweringContext
  ) throws(ApusError) -> PackedMatrix {
    var columns: [StoredColumns] = []
    var bias: [Float] = []
    for layer in layers {
      // The kernels that pack read at any address.
      let (part, weights) = (layer.part, layer.weights.asStored)
      columns.append(
        StoredColumns(
          weights.bytes, weights.dataType, count: part.columns, part.order, scales: part.scales(weights)))
      bias += try layer.bias?.floats() ?? Array(repeating: 0, count: part.columns)
    }
    let matrix = try PackedMatrix.linear(
      columns, depth: depth, bias: hasBias ? bias : nil, format: format, kernels: context.kernels,
      threads: context.threads)
    // What was read from a mapped file to be packed is not read again.
    for layer in layers {
      layer.weights.asStored.discardMappedPages()
      layer.bias?.asStored.discardMappedPages()
    }
    return matrix
  }
}

extension WeightFormat {
  /// The format of a product of float32 rows at a precision.
  /// - Parameter depth: elements of a row.
  init(_ precision: Precision, depth: Int) {
    switch precision {
    case .float32: self = .float32
    case .bfloat16: self = .bfloat16
    // Sums of 255 × 128 × depth must fit 32 bits.
    case .int8: self = depth <= 65_000 ? .int8 : .float32
    }
  }
}

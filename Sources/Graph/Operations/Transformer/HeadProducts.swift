import Kernels
import TensorCore

/// The products of each head's part of some rows with a matrix of the head's own, `x[:, h] · W[h]ᵀ`: what a learned
/// vector for each bucket of distances has in common with each row.
///
/// Operands: x float32 [T, …], of which head h takes the columns `offset` + h · headWidth and on; W, a constant of float32
/// [heads, R, headWidth]. Result: float32 [heads, T, R]. As in ``Attention``, nothing is multiplied in int8: that takes the
/// faster of the others.
package struct HeadProducts: Operation {
  /// The first column of head 0.
  package let offset: Int
  package var name: String { "headProducts" }

  /// Rows of one piece of work.
  private static let rowsPerPart = 128

  package init(offset: Int = 0) { self.offset = offset }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    let weights = try operands.input(1, "the matrices", of: [.float32], rank: 3).shape
    let width = [weights[0], weights[2]].saturatingProduct
    guard weights.elementCount > 0 else {
      throw ApusError(.malformedModel, "matrices of shape \(weights)", expected: "at least one element")
    }
    guard offset >= 0, rows[1] >= width, offset <= rows[1] - width else {
      throw ApusError(
        .malformedModel, "\(Operands.place(0, "the rows")) of shape \(rows) read from column \(offset)",
        expected: "\(weights[0]) heads of \(weights[2]) columns from there on")
    }
    return [try operands.result(try Shape([weights[0], rows[0], weights[1]]), of: .float32)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard let depth = operands.inputs[1]?.shape.dimensions.last, let result = results.first else { return 0 }
    return [result.shape.elementCount, depth].saturatingProduct
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0).shape
    let weights = try context.operands.requireConstant(1, "the matrices")
    let (heads, columns, depth) = (weights.shape[0], weights.shape[1], weights.shape[2])
    let products = try Self.products(weights, context)
    let (rows, offset) = (input[0], offset)
    let parts = (rows + Self.rowsPerPart - 1) / Self.rowsPerPart
    let threads = min(max(context.threads, 1), ThreadPool.shared.size)
    // The last piece may be multiplied in another way than the others.
    let counts = [min(rows, Self.rowsPerPart), rows % Self.rowsPerPart]
    let threadBytes = TensorStorage.padded(
      counts.map { products.first?.scratchByteCount(rows: $0, threads: 1) ?? 0 }.max() ?? 0)
    let work = min(rows, Self.rowsPerPart) * columns * depth
    let perItem = work / max(1, products.first?.multiplyAccumulatesPerNanosecond ?? 1)
    var lowering = Lowering(
      "\(name) \(products.first?.name ?? "")",
      products: products.first.flatMap { DataType(rawValue: $0.format.rawValue) },
      scratchByteCount: threadBytes * threads
    ) { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let (result, scratch) = (arguments.outputAddress(0), arguments.scratch)
      ThreadPool.shared.parallel(
        count: heads * parts, nanosecondsPerItem: perItem, threads: min(threads, arguments.threads)
      ) { range, worker in
        for item in range {
          let (head, part) = item.quotientAndRemainder(dividingBy: parts)
          let first = part * Self.rowsPerPart
          var block = MatrixProduct.Rows(
            count: min(Self.rowsPerPart, rows - first),
            address: source + 4 * (first * input[1] + offset + head * depth), stride: 4 * input[1],
            result: result + 4 * columns * (head * rows + first), resultStride: 4 * columns)
          block.scratch = scratch + worker * threadBytes
          products[head].multiply(block, threads: 1)
        }
      }
    }
    lowering.weightByteCount =
      context.packedWeights != nil
      ? 0 : products.reduce(0) { sum, product in product.matrices.reduce(sum) { $0 + $1.byteCount } }
    return lowering
  }

  /// A product for each head.
  private static func products(
    _ weights: Tensor, _ context: LoweringContext
  ) throws(ApusError) -> [MatrixProduct] {
    let (columns, depth) = (weights.shape[1], weights.shape[2])
    let isBFloat16 =
      context.precision == .bfloat16 || context.precision == .int8 && context.kernels.bfloat16.hasProducts
    let format: WeightFormat = isBFloat16 ? .bfloat16 : .float32
    let type = TensorType(.float32, try Shape([columns, depth]))
    var products: [MatrixProduct] = []
    for head in 0..<weights.shape[0] {
      let own = try Tensor(
        type, storage: weights.storage, byteOffset: weights.byteOffset + head * type.byteCount)
      let pack = { () throws(ApusError) -> PackedMatrix in
        try PackedMatrix.linear(
          [StoredColumns(own.bytes, .float32, count: columns)], depth: depth, bias: nil, format: format,
          kernels: context.kernels, threads: context.threads)
      }
      let identity = PackedWeightIdentity(
        tensors: [own], columns: columns, depth: depth, format: format, lanes: context.kernels.lanes(format),
        hasPairs: false)
      let matrix =
        if let store = context.packedWeights { try store.matrix(for: identity, pack: pack) } else {
          try pack()
        }
      products.append(MatrixProduct(matrix, format, kernels: context.kernels))
    }
    return products
  }
}

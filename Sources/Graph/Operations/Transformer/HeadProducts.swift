import Kernels
import TensorCore

/// The products of each head's part of some rows with learned vectors that a matrix projects for the head,
/// `x[:, h] · (s · (v · W[h]ᵀ + b[h]))ᵀ`: what a vector for each bucket of distances has in common with each row.
///
/// Operands: x float32 [T, …], of which head h takes the columns `offset` + h · headWidth and on; the vectors v, a constant
/// of a float type [R, D]; W, a constant [heads · headWidth, D] of a type that ``Linear`` takes; and constants of float types
/// that may be left out: b [heads · headWidth], and with an epsilon the scale and the offset [D] of the
/// ``LayerNormalization`` that the vectors go through first. Result: float32 [heads, T, R].
///
/// As in ``Attention``, nothing is multiplied in int8: that precision takes bfloat16 where the kernels have its products, else
/// float32. The projected vectors are packed weights like others: they are made, in float32, only where the store and the
/// cache on disk have none that were packed from the same constants.
package struct HeadProducts: Operation {
  package let heads: Int
  /// What the projected vectors are multiplied by.
  package let scale: Float
  /// What is added to the variance of a vector that is normalised; nil where none is.
  package let epsilon: Float?
  /// The first column of head 0.
  package let offset: Int
  package var name: String { "headProducts" }

  /// Rows of one piece of work.
  private static let rowsPerPart = 128

  package init(heads: Int, scale: Float = 1, epsilon: Float? = nil, offset: Int = 0) {
    self.heads = heads
    self.scale = scale
    self.epsilon = epsilon
    self.offset = offset
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...6)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    let vectors = try ProjectedVectors(operands, of: self)
    let width = [heads, vectors.headWidth].saturatingProduct
    guard offset >= 0, rows[1] >= width, offset <= rows[1] - width else {
      throw ApusError(
        .malformedModel, "\(Operands.place(0, "the rows")) of shape \(rows) read from column \(offset)",
        expected: "\(heads) heads of \(vectors.headWidth) columns from there on")
    }
    return [try operands.result(try Shape([heads, rows[0], vectors.count]), of: .float32)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { Set(1..<max(operands.count, 1)) }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    guard operands.count > 2, let matrix = operands.inputs[2]?.shape, let result = results.first else {
      return 0
    }
    return [result.shape.elementCount, matrix[0] / max(heads, 1)].saturatingProduct
  }

  /// Elements of the projected vectors of all heads, which is what is packed of the constants.
  package func packedElementCount(_ operands: Operands) -> Int {
    guard operands.count > 2, let vectors = operands.inputs[1]?.shape, let matrix = operands.inputs[2]?.shape
    else { return 0 }
    return [vectors[0], matrix[0]].saturatingProduct
  }

  package func packedFormat(
    _ operands: Operands, _ precision: Precision, _ kernels: KernelSet
  ) -> WeightFormat? {
    switch precision {
    case .float32: .float32
    case .bfloat16: .bfloat16
    case .int8: kernels.bfloat16.hasProducts ? .bfloat16 : .float32
    }
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0).shape
    let vectors = try ProjectedVectors(context.operands, of: self)
    let (heads, columns, depth) = (heads, vectors.count, vectors.headWidth)
    let products = try products(vectors, context)
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
  private func products(
    _ vectors: ProjectedVectors, _ context: LoweringContext
  ) throws(ApusError) -> [MatrixProduct] {
    let (columns, depth) = (vectors.count, vectors.headWidth)
    let format = packedFormat(context.operands, context.precision, context.kernels) ?? .float32
    let type = TensorType(.float32, try Shape([columns, depth]))
    // Made for all heads together, for the first of which nothing is packed.
    var elements: Tensor?
    var products: [MatrixProduct] = []
    for head in 0..<heads {
      let pack = { () throws(ApusError) -> PackedMatrix in
        let all = if let elements { elements } else { try vectors.elements(context) }
        elements = all
        let own = try Tensor(type, storage: all.storage, byteOffset: head * type.byteCount)
        return try PackedMatrix.linear(
          [StoredColumns(own.bytes, .float32, count: columns)], depth: depth, bias: nil, format: format,
          kernels: context.kernels, threads: context.threads)
      }
      let identity = vectors.identity(head: head, format, context)
      let matrix =
        if let store = context.packedWeights { try store.matrix(for: identity, pack: pack) } else {
          try pack()
        }
      products.append(MatrixProduct(matrix, format, kernels: context.kernels))
    }
    return products
  }
}

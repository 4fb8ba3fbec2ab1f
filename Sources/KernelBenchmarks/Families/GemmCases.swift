import Graph
import Kernels
import TensorCore

/// Linear layers with bias, in every precision: packed weights; rows are converted as they come.
enum GemmCases {
  static let shapes = [
    // Small encoders of sentences, of pictures, and the large ones.
    KernelShape(.gemm, 32, 192, 768), KernelShape(.gemm, 64, 192, 768), KernelShape(.gemm, 128, 384, 1536),
    KernelShape(.gemm, 50, 768, 3072), KernelShape(.gemm, 197, 768, 768), KernelShape(.gemm, 197, 3072, 768),
    KernelShape(.gemm, 1024, 1152, 1152), KernelShape(.gemm, 1, 1280, 1001),
  ]

  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let (rows, depth, columns) = (shape.extents[0], shape.extents[1], shape.extents[2])
    let sizes = (try Shape([rows, depth]), try Shape([columns, depth]), try Shape([columns]))
    return Arithmetic.available.map { arithmetic in
      let weightBytes = sizes.1.elementCount * arithmetic.byteCount
      let work = KernelWork(
        .operations(2 * Double(rows) * Double(depth) * Double(columns), arithmetic),
        byteCount: 4 * (sizes.0.elementCount + rows * columns + columns) + weightBytes,
        writing: 4 * rows * columns)
      return KernelCase(
        family: shape.family, shape: shape.description, detail: arithmetic.rawValue, work: work,
        threads: threads
      ) { () throws(ApusError) in
        let (x, weights) = (try RandomElements.floats(sizes.0), try RandomElements.floats(sizes.1))
        let node = SingleNode(
          operation: Linear(hasBias: true),
          operands: [.input(x), .constant(weights), .constant(try RandomElements.floats(sizes.2))],
          precision: arithmetic.precision)
        let variants = try node.variants(arithmetic.family, threads: threads)
        // It has no products of bytes, and those of bfloat16 are not its own.
        guard arithmetic == .float32, threads == 1, BLAS.isAvailable else { return variants }
        return variants + [try openBLAS(x, weights)]
      }
    }
  }

  /// The product alone, of operands as a framework keeps them.
  static func openBLAS(_ x: Tensor, _ weights: Tensor) throws(ApusError) -> KernelVariant {
    let (rows, depth, columns) = (x.shape[0], x.shape[1], weights.shape[0])
    let result = try TensorStorage(byteCount: 4 * rows * columns)
    return KernelVariant(name: "OpenBLAS", set: nil, isPicked: false) { (count) throws(ApusError) in
      for _ in 0..<count {
        x.withBytes { x in
          weights.withBytes { weights in
            guard let a = x.baseAddress?.assumingMemoryBound(to: Float.self),
              let b = weights.baseAddress?.assumingMemoryBound(to: Float.self)
            else { return }
            BLAS.gemm(
              m: rows, n: columns, k: depth, a: a, leadingA: depth, b: b, leadingB: depth, transposeB: true,
              c: result.base.assumingMemoryBound(to: Float.self), leadingC: columns)
          }
        }
      }
    }
  }
}

extension Arithmetic {
  /// Those that the kernels in use have.
  static var available: [Arithmetic] { allCases.filter(\.precision.isAvailable) }

  var precision: Precision {
    switch self {
    case .float32: .float32
    case .bfloat16: .bfloat16
    case .int8: .int8
    }
  }

  /// Bytes of a weight.
  var byteCount: Int {
    switch self {
    case .float32: 4
    case .bfloat16: 2
    case .int8: 1
    }
  }
}

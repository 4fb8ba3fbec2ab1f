import Graph
import Kernels
import TensorCore

/// Products of matrices that are both known only when a model runs, in float32: the second one packed every time.
enum BatchMatMulCases {
  static let shapes = [
    // Both products of attention where a file spells it out, and one of large matrices.
    KernelShape(.batchMatMul, 12, 50, 64, 50), KernelShape(.batchMatMul, 12, 197, 64, 197),
    KernelShape(.batchMatMul, 12, 197, 197, 64), KernelShape(.batchMatMul, 1, 1024, 1024, 1024),
  ]

  /// With the second matrix as it is, and stored as its transpose.
  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let (matrices, rows, depth, columns) = (
      shape.extents[0], shape.extents[1], shape.extents[2], shape.extents[3]
    )
    let sizes = (
      try Shape([matrices, rows, depth]), try Shape([matrices, depth, columns]),
      try Shape([matrices, columns, depth])
    )
    let results = matrices * rows * columns
    return [false, true].map { isTransposed in
      let work = KernelWork(
        .operations(2 * Double(results) * Double(depth), .float32),
        byteCount: 4 * (sizes.0.elementCount + sizes.1.elementCount + results), writing: 4 * results)
      return KernelCase(
        family: shape.family, shape: shape.description, detail: isTransposed ? "transposed" : "", work: work,
        threads: threads
      ) { () throws(ApusError) in
        let a = try RandomElements.floats(sizes.0)
        let b = try RandomElements.floats(isTransposed ? sizes.2 : sizes.1)
        let variants = try SingleNode(
          operation: BatchMatMul(transposeB: isTransposed), operands: [.input(a), .input(b)]
        ).variants(.float, threads: threads)
        guard threads == 1, BLAS.isAvailable else { return variants }
        return variants + [try openBLAS(a, b, columns: columns, isTransposed: isTransposed)]
      }
    }
  }

  private static func openBLAS(
    _ a: Tensor, _ b: Tensor, columns: Int, isTransposed: Bool
  ) throws(ApusError) -> KernelVariant {
    let (matrices, rows, depth) = (a.shape[0], a.shape[1], a.shape[2])
    let result = try TensorStorage(byteCount: 4 * matrices * rows * columns)
    return KernelVariant(name: "OpenBLAS", set: nil, isPicked: false) { (count) throws(ApusError) in
      let c = result.base.assumingMemoryBound(to: Float.self)
      for number in 0..<count * matrices {
        let matrix = number % matrices
        a.withBytes { a in
          b.withBytes { b in
            guard let a = a.baseAddress?.assumingMemoryBound(to: Float.self),
              let b = b.baseAddress?.assumingMemoryBound(to: Float.self)
            else { return }
            BLAS.gemm(
              m: rows, n: columns, k: depth, a: a + matrix * rows * depth, leadingA: depth,
              b: b + matrix * depth * columns, leadingB: isTransposed ? depth : columns,
              transposeB: isTransposed, c: c + matrix * rows * columns, leadingC: columns)
          }
        }
      }
    }
  }
}

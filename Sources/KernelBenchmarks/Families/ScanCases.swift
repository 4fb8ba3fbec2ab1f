import Graph
import Kernels
import TensorCore

/// A vector times a large matrix: the scores of all entries of an index. Bound by memory.
enum ScanCases {
  static let shapes = [KernelShape(.scan, 10_000, 512), KernelShape(.scan, 100_000, 512)]

  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let (vectors, width) = (shape.extents[0], shape.extents[1])
    let sizes = (try Shape([1, width]), try Shape([vectors, width]))
    return [try rows(shape)]
      + Arithmetic.available.map { arithmetic in
        let work = KernelWork(
          .movement, byteCount: sizes.1.elementCount * arithmetic.byteCount + 4 * (width + vectors),
          writing: 4 * vectors)
        return KernelCase(
          family: shape.family, shape: shape.description, detail: arithmetic.rawValue, work: work,
          threads: threads
        ) { () throws(ApusError) in
          let (x, weights) = (try RandomElements.floats(sizes.0), try RandomElements.floats(sizes.1))
          let node = SingleNode(
            operation: Linear(hasBias: false), operands: [.input(x), .constant(weights)],
            precision: arithmetic.precision)
          let variants = try node.variants(arithmetic.family, threads: threads)
          guard arithmetic == .float32, threads == 1, BLAS.isAvailable else { return variants }
          return variants + [try GemmCases.openBLAS(x, weights)]
        }
      }
  }

  /// Rows that are not packed, as an index of photographs has them; always on one thread.
  private static func rows(_ shape: KernelShape) throws(ApusError) -> KernelCase {
    let (vectors, width) = (shape.extents[0], shape.extents[1])
    let byteCount = RowScan.stride(width) * vectors
    return KernelCase(
      family: shape.family, shape: shape.description, detail: "int8 rows",
      work: KernelWork(.movement, byteCount: byteCount + width + 8 * vectors, writing: 4 * vectors)
    ) { () throws(ApusError) in
      let memory = try TensorStorage(byteCount: byteCount + 8 * vectors)
      memory.base.initializeMemory(as: UInt8.self, repeating: 37, count: byteCount + 8 * vectors)
      let scales = (memory.base + byteCount).assumingMemoryBound(to: Float.self)
      let query = (0..<width).map { Int8(truncatingIfNeeded: $0 % 127) }
      return try FamilyRow.rows(of: .integer).map { (row) throws(ApusError) in
        let scan = try RowScan(query, kernels: row.kernels)
        return KernelVariant(name: row.name, set: row.set, isPicked: row.isPicked) {
          (count) throws(ApusError) in
          for _ in 0..<count {
            _ = scan.scores(of: memory.base, count: vectors, scales: scales, into: scales + vectors)
          }
        }
      }
    }
  }
}

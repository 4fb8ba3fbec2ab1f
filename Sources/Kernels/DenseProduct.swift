import CIntrinsics
import TensorCore

/// A linear layer prepared to run: packed weights, the kernel for their format, what happens to the sums.
package struct DenseProduct: Sendable {
  package let matrix: PackedMatrix
  private let kernels: KernelSet

  package init(_ matrix: PackedMatrix, kernels: KernelSet) {
    self.matrix = matrix
    self.kernels = kernels
  }

  /// The kernel's name in reports.
  package var name: String { "gemm float32 \(kernels.tileRows)x\(kernels.panelColumns)" }

  /// Computes `rows` dense rows of `input` to dense rows of `result`, on up to `threads` threads.
  /// - Parameter residual: added to the sums; laid out as the result.
  package func multiply(
    _ input: UnsafeRawPointer, rows: Int, to result: UnsafeMutableRawPointer,
    residual: UnsafePointer<Float>?, threads: Int
  ) {
    var gemm = ApusGemm(
      rows: rows, a: input, aStride: 4 * matrix.depth, c: result, cStride: 4 * matrix.columns,
      resultIsByte: false)
    gemm.residual = residual
    gemm.residualStride = 4 * matrix.columns
    matrix.multiply(
      gemm, threads: threads, tileRows: kernels.tileRows, multiplyAccumulatesPerNanosecond: 125,
      kernels.gemmFloat32)
  }
}

import Kernels
import TensorCore

/// A 1×1 convolution: one matrix product over all pixels, read where they lie.
struct PointwiseConvolution: Sendable {
  let geometry: ConvolutionGeometry
  let product: MatrixProduct
  let hasResidual: Bool

  func lowering(threads: Int) -> Lowering {
    let rows = geometry.batch * geometry.outputPixels
    let sumBytes = product.rowSumFactor != 0 ? (rows * 4 + 63) / 64 * 64 : 0
    return Lowering(
      product, ", 1x1\(hasResidual ? " + residual" : "")",
      scratchByteCount: sumBytes + product.scratchByteCount(rows: rows, threads: threads)
    ) { [self] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      var block = MatrixProduct.Rows(
        count: rows, address: input, stride: geometry.inputChannels * product.inputBytes,
        result: arguments.outputAddress(0), resultStride: geometry.outputChannels * product.outputBytes)
      block.sums = arguments.scratch.assumingMemoryBound(to: Int32.self)
      block.scratch = arguments.scratch + sumBytes
      if hasResidual { block.residual = arguments.input(3, as: Float.self).baseAddress }
      product.multiply(block, threads: arguments.threads)
    }
  }
}

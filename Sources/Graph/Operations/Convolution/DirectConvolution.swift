import CIntrinsics
import Kernels
import TensorCore

/// A convolution of float32 numbers, of one group, whose products read the image where it lies.
struct DirectConvolution: Sendable {
  let geometry: ConvolutionGeometry
  let product: MatrixProduct
  let convolve: @convention(c) (UnsafePointer<ApusConvolution>) -> Void
  let hasResidual: Bool

  /// - Returns: nil where products of gathered patches are faster, or the only way.
  init?(_ geometry: ConvolutionGeometry, _ product: MatrixProduct, hasResidual: Bool) {
    guard geometry.groups == 1, let convolve = product.convolve else { return nil }
    (self.geometry, self.product, self.convolve) = (geometry, product, convolve)
    self.hasResidual = hasResidual
  }

  func lowering() -> Lowering {
    let detail = ", \(geometry.vertical.filterSize)x\(geometry.horizontal.filterSize) windows"
    return Lowering(product, detail, scratchByteCount: 0) { [self] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      run(
        input, arguments.outputAddress(0), threads: arguments.threads,
        residual: hasResidual ? arguments.input(3, as: Float.self).baseAddress : nil)
    }
  }

  /// Threads take panels of columns, and bands of rows where there are few of them.
  private func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, threads: Int,
    residual: UnsafePointer<Float>?
  ) {
    let g = geometry
    guard g.outputPixels > 0 else { return }
    let matrix = product.matrices[0]
    let panels = matrix.panelCount
    let bands = min(g.outputHeight, (Self.pieces + panels - 1) / panels)
    let products = [g.outputPixels, g.depth, g.outputChannels].saturatingProduct
    let work = products / product.multiplyAccumulatesPerNanosecond
    for image in 0..<g.batch {
      let results = image * g.outputPixels * g.outputChannels
      let whole = arguments(
        matrix, input + image * g.inputHeight * g.inputWidth * g.inputChannels * 4, output + results * 4,
        residual.map { $0 + results })
      ThreadPool.shared.parallel(
        count: panels * bands, nanosecondsPerItem: work / (panels * bands), threads: threads
      ) { range, _ in
        var next = range.lowerBound
        while next < range.upperBound {
          // Bands of one panel that follow each other are one piece.
          let (panel, first) = next.quotientAndRemainder(dividingBy: bands)
          let end = min(bands, first + range.upperBound - next)
          multiply(
            whole, matrix, panel, rows: (g.outputHeight * first / bands)..<(g.outputHeight * end / bands))
          next += end - first
        }
      }
    }
  }

  /// Enough that threads end at about the same time.
  private static let pieces = 64

  private func multiply(_ whole: ApusConvolution, _ matrix: PackedMatrix, _ panel: Int, rows: Range<Int>) {
    let column = panel * 2 * matrix.lanes
    var part = whole
    part.firstRow = rows.lowerBound
    part.endRow = rows.upperBound
    part.panels += panel * matrix.panelStride
    part.columns = min(2 * matrix.lanes, matrix.columns - column)
    part.c += column * 4
    part.residual = whole.residual.map { $0 + column }
    convolve(&part)
  }

  /// All of one image.
  private func arguments(
    _ matrix: PackedMatrix, _ image: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
    _ residual: UnsafePointer<Float>?
  ) -> ApusConvolution {
    let (v, h) = (geometry.vertical, geometry.horizontal)
    return ApusConvolution(
      input: image, channels: geometry.inputChannels, inputHeight: v.inputSize, inputWidth: h.inputSize,
      outputWidth: h.outputSize, firstRow: 0, endRow: v.outputSize, kernelHeight: v.filterSize,
      kernelWidth: h.filterSize, strideY: v.stride, strideX: h.stride, dilationY: v.dilation,
      dilationX: h.dilation, padTop: v.padBefore, padLeft: h.padBefore, panels: matrix.panels,
      panelStride: matrix.panelStride, columns: matrix.columns, c: result,
      cStride: geometry.outputChannels * 4, residual: residual, low: product.sums.low,
      high: product.sums.high, activation: product.sums.activation)
  }
}

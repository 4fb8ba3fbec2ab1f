import CIntrinsics
import Kernels
import TensorCore

/// A convolution of float32 images multiplied in fewer bits: each image is converted as a whole, then patches of it are
/// gathered. In bfloat16 a patch has an even number of elements; in int8 an image has one scale and zero point, and the
/// results of one with a number that is not finite are NaN.
struct ConvertedConvolution: Sendable {
  let geometry: ConvolutionGeometry
  /// Of rows that are converted before.
  let product: MatrixProduct
  let kernels: KernelSet
  let hasResidual: Bool

  /// Elements that are rounded together: whole vectors, so that no part writes into the next.
  private static let partElements = 4096

  private var patches: PatchConvolution {
    PatchConvolution(geometry: geometry, product: product, paddingByte: 0)
  }
  private var imageElements: Int { geometry.inputHeight * geometry.inputWidth * geometry.inputChannels }
  /// The last vector is written whole, and gathering reads as far.
  private var imageBytes: Int { (product.inputBytes * imageElements + 191) / 64 * 64 }
  /// int8: the image's scale and zero point for each row of a block of patches.
  private var parameterBytes: Int { product.format == .int8 ? (8 * patches.blockRows + 63) / 64 * 64 : 0 }

  func lowering(threads: Int) -> Lowering {
    let detail = ", \(geometry.vertical.filterSize)x\(geometry.horizontal.filterSize) patches"
    let scratchBytes = parameterBytes + imageBytes + patches.scratchByteCount(threads: threads)
    return Lowering(product, detail, scratchByteCount: scratchBytes) { [self] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      let converted = arguments.scratch + parameterBytes
      let residual = hasResidual ? arguments.input(3, as: Float.self).baseAddress : nil
      for image in 0..<geometry.batch {
        let source = input + 4 * image * imageElements
        var parameters: PatchConvolution.RowParameters?
        var paddingByte: UInt8 = 0
        if product.format == .int8 {
          (parameters, paddingByte) = quantize(source, to: converted, parameters: arguments.scratch)
        } else {
          round(source, to: converted, threads: arguments.threads)
        }
        patches.run(
          // The images before this one are not in the working memory.
          UnsafeRawPointer(converted) - product.inputBytes * image * imageElements,
          arguments.outputAddress(0), converted + imageBytes, threads: arguments.threads,
          images: image..<(image + 1), paddingByte: paddingByte, parameters: parameters, residual: residual)
      }
    }
  }

  private func round(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, threads: Int) {
    let parts = (imageElements + Self.partElements - 1) / Self.partElements
    ThreadPool.shared.parallel(
      count: parts, nanosecondsPerItem: Self.partElements / 16, threads: threads
    ) { range, _ in
      let first = range.lowerBound * Self.partElements
      let end = min(imageElements, range.upperBound * Self.partElements)
      var staging = ApusRowStaging(
        source: source + 4 * first, sourceStride: 0, target: target + 2 * first, targetStride: 0, rows: 1,
        depth: end - first, scales: nil, zeroPoints: nil, isSigned: 0)
      kernels.bfloat16.roundRows(&staging)
    }
  }

  /// - Returns: what the bytes stand for, for each row of a block, and the byte that stands for 0.
  private func quantize(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, parameters: UnsafeMutableRawPointer
  ) -> (PatchConvolution.RowParameters, UInt8) {
    let rows = patches.blockRows
    let scales = parameters.bindMemory(to: Float.self, capacity: rows)
    let zeroPoints = (parameters + 4 * rows).bindMemory(to: Int32.self, capacity: rows)
    var staging = ApusRowStaging(
      source: source, sourceStride: 0, target: target, targetStride: 0, rows: 1, depth: imageElements,
      scales: scales, zeroPoints: zeroPoints, isSigned: 0)
    kernels.integer.quantizeRows(&staging)
    UnsafeMutableBufferPointer(start: scales, count: rows).update(repeating: scales[0])
    UnsafeMutableBufferPointer(start: zeroPoints, count: rows).update(repeating: zeroPoints[0])
    return (
      PatchConvolution.RowParameters(scales: scales, zeroPoints: zeroPoints, columnsFirst: false),
      UInt8(truncatingIfNeeded: zeroPoints[0])
    )
  }
}

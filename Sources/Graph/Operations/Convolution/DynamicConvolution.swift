import CIntrinsics
import Kernels
import TensorCore

/// A convolution of float images by int8 weights: each image is quantized to int8 as a whole, multiplied in
/// integers, and scaled back.
struct DynamicConvolution: Sendable {
  let geometry: ConvolutionGeometry
  let product: MatrixProduct
  let kernels: ApusIntegerKernels
  /// Whether zero may fall anywhere in the range, as TFLite does for weights whose channels have different
  /// scales.
  let isAsymmetric: Bool

  func lowering(threads: Int) -> Lowering {
    let patches = PatchConvolution(geometry: geometry, product: product, paddingByte: 0)
    let imageElements = geometry.inputHeight * geometry.inputWidth * geometry.inputChannels
    let parameterBytes = (patches.blockRows * 8 + 63) / 64 * 64
    let imageBytes = (imageElements + 127) / 64 * 64
    return Lowering(
      product, ", patches",
      scratchByteCount: parameterBytes + imageBytes + patches.scratchByteCount(threads: threads)
    ) { [self] arguments in
      let input = arguments.input(0, as: Float.self)
      let quantized = arguments.scratch + parameterBytes
      let scales = arguments.scratch.assumingMemoryBound(to: Float.self)
      let zeroPoints = (arguments.scratch + patches.blockRows * 4).assumingMemoryBound(to: Int32.self)
      for image in 0..<geometry.batch {
        let values = UnsafeBufferPointer(
          rebasing: input[(image * imageElements)..<((image + 1) * imageElements)])
        let parameters: DynamicQuantization.Parameters =
          isAsymmetric ? .asymmetric(values, kernels) : .symmetric(values, kernels)
        ThreadPool.shared.parallel(
          count: values.count, grain: DynamicQuantization.grain, threads: arguments.threads
        ) {
          part, _ in
          parameters.quantize(
            UnsafeBufferPointer(rebasing: values[part]), to: quantized + part.lowerBound, kernels)
        }
        for row in 0..<patches.blockRows {
          scales[row] = parameters.scale
          zeroPoints[row] = parameters.zeroPoint + 128
        }
        patches.run(
          // The images before this one are not in the working memory.
          UnsafeRawPointer(quantized) - image * imageElements, arguments.outputAddress(0),
          quantized + imageBytes, threads: arguments.threads, images: image..<(image + 1),
          paddingByte: UInt8(bitPattern: Int8(truncatingIfNeeded: parameters.zeroPoint)),
          parameters: PatchConvolution.RowParameters(
            scales: scales, zeroPoints: zeroPoints, columnsFirst: isAsymmetric))
      }
    }
  }
}

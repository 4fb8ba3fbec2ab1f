import Kernels
import TensorCore

/// A transposed convolution in float32: one matrix product gives every tap of every input pixel, then each
/// result pixel adds up the taps that fall on it.
struct FloatTransposeConvolution: Sendable {
  /// Of the convolution whose transpose this is: its input is our result.
  private let geometry: ConvolutionGeometry
  /// Columns are (tap, result channel).
  private let product: MatrixProduct
  private let bias: [Float]
  private let bounds: (lower: Float, upper: Float)

  init(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ activation: Activation
  ) throws(ApusError) {
    self.geometry = geometry
    bounds = activation.floatRange
    let (taps, filters, channels) = (geometry.taps, geometry.inputChannels, geometry.outputChannels)
    let weights = try context.operands.requireConstant(1, "the weights").floats()
    bias =
      context.operands.has(3)
      ? try context.operands.requireConstant(3, "the bias").floats() : Array(repeating: 0, count: filters)
    var columns = [Float](repeating: 0, count: weights.count)
    for filter in 0..<filters {
      for tap in 0..<taps {
        for channel in 0..<channels {
          columns[(tap * filters + filter) * channels + channel] =
            weights[(filter * taps + tap) * channels + channel]
        }
      }
    }
    product = try Tensor(columns, shape: .vector(columns.count)).withBytes {
      (bytes) throws(ApusError) -> MatrixProduct in
      try MatrixProduct(
        .float32, of: bytes, .float32, groups: 1, columns: taps * filters, depth: channels, bias: nil,
        low: -.infinity, high: .infinity, kernels: context.kernels, threads: context.threads)
    }
  }

  func lowering() -> Lowering {
    let columns = geometry.taps * geometry.inputChannels
    let pixels = geometry.batch * geometry.outputPixels
    return Lowering(product, ", add taps", scratchByteCount: pixels * columns * 4) {
      [self] arguments in
      guard let input = arguments.inputAddress(2) else { return }
      product.multiply(
        MatrixProduct.Rows(
          count: pixels, address: input, stride: geometry.outputChannels * 4, result: arguments.scratch,
          resultStride: columns * 4),
        threads: arguments.threads)
      let taps = UnsafePointer(arguments.scratch.assumingMemoryBound(to: Float.self))
      let output = arguments.output(0, as: Float.self)
      arguments.parallel(geometry.batch * geometry.inputHeight, grain: 4) { rows in
        for row in rows { addTaps(row, taps, output) }
      }
    }
  }

  private func addTaps(
    _ row: Int, _ taps: UnsafePointer<Float>, _ output: UnsafeMutableBufferPointer<Float>
  ) {
    let (v, h) = (geometry.vertical, geometry.horizontal)
    let filters = geometry.inputChannels
    let image = row / v.inputSize
    for x in 0..<h.inputSize {
      let place = (row * h.inputSize + x) * filters
      for filter in 0..<filters { output[place + filter] = 0 }
      for tapY in 0..<v.filterSize {
        guard let sourceY = v.source(row % v.inputSize, tap: tapY) else { continue }
        for tapX in 0..<h.filterSize {
          guard let sourceX = h.source(x, tap: tapX) else { continue }
          let pixel = (image * v.outputSize + sourceY) * h.outputSize + sourceX
          let source = taps + (pixel * geometry.taps + tapY * h.filterSize + tapX) * filters
          for filter in 0..<filters { output[place + filter] += source[filter] }
        }
      }
      for filter in 0..<filters {
        let value = output[place + filter] + bias[filter]
        let raised = value < bounds.lower ? bounds.lower : value
        output[place + filter] = raised > bounds.upper ? bounds.upper : raised
      }
    }
  }
}

extension SpatialWindow {
  /// The output position whose tap `tap` reads input position `input`; nil when there is none.
  @inline(__always)
  func source(_ input: Int, tap: Int) -> Int? {
    let scaled = input + padBefore - tap * dilation
    guard scaled >= 0, scaled % stride == 0, scaled / stride < outputSize else { return nil }
    return scaled / stride
  }
}

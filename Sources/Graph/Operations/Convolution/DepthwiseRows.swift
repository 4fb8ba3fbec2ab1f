import CIntrinsics
import Kernels
import TensorCore

/// A depthwise convolution with one filter a channel, computed row by row.
struct DepthwiseRows: Sendable {
  private let geometry: ConvolutionGeometry
  private let packed: PackedDepthwise
  private let kernel: @convention(c) (UnsafePointer<ApusDepthwise>) -> Void
  private let elementBytes: Int
  private let paddingByte: UInt8
  private let bounds: (lower: Float, upper: Float)
  /// Of float32 results; none where they are limited.
  private let function: Activation
  private let map: @convention(c) (Int32, UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  /// Integer: the range of results, and whether the input is signed.
  private let quanta: ClosedRange<Int32>
  private let isSigned: Bool
  /// Dynamic quantization: each channel's weight scale and bias.
  private let scales: [Float]
  private let bias: [Float]
  private let kernels: KernelSet

  init(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ linear: LinearTypes,
    _ activation: Activation
  ) throws(ApusError) {
    let weights = try context.operands.requireConstant(1, "the weights")
    let biasTensor = linear.bias == nil ? nil : try context.operands.requireConstant(2, "the bias")
    self.geometry = geometry
    kernels = context.kernels
    let channels = geometry.inputChannels
    bounds = activation.floatRange
    function = activation.function
    map = context.kernels.float.map
    switch linear.form {
    case .float32, .dynamicInteger8:
      let isDynamic = linear.form == .dynamicInteger8
      let floats = isDynamic ? try weights.integers().map(Float.init) : try weights.floats()
      let biases = try biasTensor?.floats()
      packed = try .float32(
        floats, taps: geometry.taps, channels: channels, bias: isDynamic ? nil : biases,
        kernels: context.kernels)
      kernel = context.kernels.float.depthwise
      let perTensor = weights.quantization?.scales ?? [1]
      scales = perTensor.count == channels ? perTensor : Array(repeating: perTensor[0], count: channels)
      bias = biases ?? Array(repeating: 0, count: channels)
      (quanta, isSigned) = (0...0, false)
      paddingByte = 0
      elementBytes = 4
    case .integer16:
      guard let scalings = try linear.wideScalings(context) else {
        throw ApusError(.unsupportedModel, "int16 sums whose scaling no kernel knows")
      }
      packed = try .integer16(
        weights.elements(), taps: geometry.taps, scalings: scalings, kernels: context.kernels)
      kernel = context.kernels.integer.depthwise16
      quanta = try activation.quantizedRange(for: linear.result.quantization, .int16)
      (elementBytes, paddingByte, isSigned) = (2, 0, true)
      (scales, bias) = ([], [])
    case .integer8:
      let quantization = try linear.integerQuantization(activation)
      let zero = quantization.weightZeroPoint
      let (v, h) = (geometry.vertical, geometry.horizontal)
      let squareSide =
        v.dilation == 1 && h.dilation == 1
        ? PackedDepthwise.squareSide(height: v.filterSize, width: h.filterSize, strideX: h.stride) : nil
      packed = try .integer8(
        weights.integers().map { Int32($0) &- zero }, taps: geometry.taps, channels: channels,
        bias: biasTensor?.elements(of: Int32.self), quantization: quantization, squareSide: squareSide,
        kernels: context.kernels)
      let kernels = kernels.integer
      kernel = packed.isSquare ? kernels.depthwiseSquare : kernels.depthwise
      quanta = quantization.low...quantization.high
      isSigned = quantization.inputIsSigned
      paddingByte = UInt8(truncatingIfNeeded: quantization.inputZeroPoint)
      elementBytes = 1
      scales = []
      bias = []
    }
  }

  private var paddingBytes: Int { (geometry.inputChannels * elementBytes + 127) / 64 * 64 }
  private var imageElements: Int { geometry.inputHeight * geometry.inputWidth * geometry.inputChannels }
  private var products: DataType { elementBytes == 4 ? .float32 : elementBytes == 2 ? .int16 : .int8 }
  private var kernelName: String {
    let size = "\(geometry.vertical.filterSize)x\(geometry.horizontal.filterSize)"
    return "depthwise \(products.rawValue) \(size)"
  }

  func lowering() -> Lowering {
    Lowering(
      kernelName, products: products, scratchByteCount: paddingBytes
    ) { [self] arguments in
      guard let input = arguments.inputAddress(0) else { return }
      arguments.scratch.initializeMemory(as: UInt8.self, repeating: paddingByte, count: paddingBytes)
      for image in 0..<geometry.batch {
        run(
          input + image * imageElements * elementBytes,
          arguments.outputAddress(0) + image * geometry.outputPixels * geometry.outputChannels * elementBytes,
          padding: arguments.scratch, threads: arguments.threads)
      }
    }
  }

  /// - Parameter scales: what sums are multiplied by, a number for each channel, before the bias is added.
  private func run(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, padding: UnsafeRawPointer, threads: Int,
    scales: UnsafePointer<Float>? = nil
  ) {
    let (v, h) = (geometry.vertical, geometry.horizontal)
    let base = ApusDepthwise(
      input: input, padding: padding, weights: packed.weights, output: output,
      channels: geometry.inputChannels, inputHeight: v.inputSize, inputWidth: h.inputSize,
      outputWidth: h.outputSize, firstRow: 0, endRow: v.outputSize, kernelHeight: v.filterSize,
      kernelWidth: h.filterSize, strideY: v.stride, strideX: h.stride, dilationY: v.dilation,
      dilationX: h.dilation, padTop: v.padBefore, padLeft: h.padBefore,
      low: scales == nil ? bounds.lower : -.infinity, high: scales == nil ? bounds.upper : .infinity,
      lowQuantum: quanta.lowerBound, highQuantum: quanta.upperBound,
      isSigned: isSigned ? 1 : 0, hasSecondPart: packed.hasSecondPart ? 1 : 0)
    let rowElements = h.outputSize * geometry.outputChannels
    // As measured with 9 and 25 taps, in bytes and in float32.
    let perRow = rowElements * (geometry.taps + 6) / 50
    ThreadPool.shared.parallel(count: v.outputSize, nanosecondsPerItem: perRow, threads: threads) { rows, _ in
      var part = base
      guard function != .none || scales != nil else {
        part.firstRow = rows.lowerBound
        part.endRow = rows.upperBound
        kernel(&part)
        return
      }
      for row in rows {
        (part.firstRow, part.endRow) = (row, row + 1)
        kernel(&part)
        // While the row is in the nearest cache.
        let results = output + row * rowElements * 4
        if let scales {
          kernels.float.scaleRows(
            results, results, scales, bias, h.outputSize, geometry.outputChannels, bounds.lower, bounds.upper)
        }
        if function != .none { map(function.kernelFunction, UnsafeRawPointer(results), results, rowElements) }
      }
    }
  }

  /// Float images, int8 weights: the quantized image and weights are small integers, which float32 adds
  /// exactly; the sums are scaled afterwards.
  func dynamicLowering() -> Lowering {
    let imageBytes = (imageElements * 4 + 127) / 64 * 64
    let channels = geometry.outputChannels
    return Lowering(
      "\(kernelName) dynamic int8", products: .int8,
      scratchByteCount: paddingBytes + imageBytes + channels * 4
    ) { [self] arguments in
      let input = arguments.input(0, as: Float.self)
      arguments.scratch.initializeMemory(as: UInt8.self, repeating: 0, count: paddingBytes)
      let steps = (arguments.scratch + paddingBytes).assumingMemoryBound(to: Float.self)
      let products = (arguments.scratch + paddingBytes + imageBytes).assumingMemoryBound(to: Float.self)
      for image in 0..<geometry.batch {
        let values = UnsafeBufferPointer(
          rebasing: input[(image * imageElements)..<((image + 1) * imageElements)])
        let parameters = DynamicQuantization.Parameters.asymmetric(values, kernels.integer)
        ThreadPool.shared.parallel(
          count: values.count, grain: DynamicQuantization.grain, threads: arguments.threads
        ) { part, _ in
          parameters.countSteps(
            UnsafeBufferPointer(rebasing: values[part]), to: steps + part.lowerBound, kernels.integer)
        }
        for channel in 0..<channels { products[channel] = scales[channel] * parameters.scale }
        run(
          steps, arguments.outputAddress(0) + image * geometry.outputPixels * channels * 4,
          padding: arguments.scratch, threads: arguments.threads, scales: products)
      }
    }
  }
}

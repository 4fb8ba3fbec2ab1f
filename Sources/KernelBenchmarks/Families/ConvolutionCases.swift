import Graph
import Statistics
import TensorCore

/// Convolutions over NHWC pictures, 1×1 and larger, and depthwise: float32, and int8 as TFLite has it, with
/// activation.
enum ConvolutionCases {
  static let shapes = [
    // MobileNetV2: its stem, expansions and projections; then a residual network's, and a ViT's patches.
    KernelShape(.convolution, 224, 224, 3, 32, filter: 3, stride: 2),
    KernelShape(.convolution, 112, 112, 32, 16), KernelShape(.convolution, 56, 56, 24, 144),
    KernelShape(.convolution, 14, 14, 96, 576), KernelShape(.convolution, 7, 7, 320, 1280),
    KernelShape(.convolution, 32, 32, 16, 16, filter: 3),
    KernelShape(.convolution, 56, 56, 64, 64, filter: 3),
    KernelShape(.convolution, 224, 224, 3, 768, filter: 16, stride: 16),
  ]

  static let depthwiseShapes = [
    KernelShape(.depthwise, 112, 112, 32, filter: 3),
    KernelShape(.depthwise, 112, 112, 96, filter: 3, stride: 2),
    KernelShape(.depthwise, 56, 56, 144, filter: 3), KernelShape(.depthwise, 14, 14, 576, filter: 3),
    KernelShape(.depthwise, 7, 7, 960, filter: 3), KernelShape(.depthwise, 28, 28, 96, filter: 5),
    // EfficientNet's and ConvNeXt's.
    KernelShape(.depthwise, 56, 56, 144, filter: 5, stride: 2),
    KernelShape(.depthwise, 14, 14, 672, filter: 5),
    KernelShape(.depthwise, 56, 56, 96, filter: 7),
  ]

  static func cases(_ shape: KernelShape, threads: Int) throws(ApusError) -> [KernelCase] {
    let layer = try Layer(shape)
    return [Arithmetic.float32, .int8].map { arithmetic in
      KernelCase(
        family: shape.family, shape: shape.description, detail: arithmetic.rawValue,
        work: layer.work(arithmetic), threads: threads
      ) { () throws(ApusError) in
        try layer.node(arithmetic).variants(arithmetic.family, threads: threads)
      }
    }
  }

  /// A convolution with "same" padding.
  private struct Layer: Sendable {
    let shape: KernelShape
    let isDepthwise: Bool
    let input: Shape
    let weights: Shape
    let bias: Shape
    /// Elements of the result.
    let resultCount: Int

    init(_ shape: KernelShape) throws(ApusError) {
      self.shape = shape
      isDepthwise = shape.family == .depthwise
      let (height, width, channels) = (shape.extents[0], shape.extents[1], shape.extents[2])
      let filters = isDepthwise ? channels : shape.extents[3]
      input = try Shape([1, height, width, channels])
      weights = try Shape(
        isDepthwise
          ? [1, shape.filter, shape.filter, channels] : [filters, shape.filter, shape.filter, channels])
      bias = try Shape([filters])
      let sides = [height, width].map { ($0 + shape.stride - 1) / shape.stride }
      resultCount = sides[0] * sides[1] * filters
    }

    func work(_ arithmetic: Arithmetic) -> KernelWork {
      let taps = weights.elementCount / bias.elementCount
      return KernelWork(
        .operations(2 * Double(resultCount) * Double(taps), arithmetic),
        byteCount: arithmetic.byteCount * (input.elementCount + weights.elementCount + resultCount)
          + 4 * bias.elementCount, writing: arithmetic.byteCount * resultCount)
    }

    func node(_ arithmetic: Arithmetic) throws(ApusError) -> SingleNode {
      let operands: [SingleNode.Operand]
      var result = TensorType(.float32, .scalar)
      if arithmetic == .int8 {
        let perChannel = try Quantization(
          scales: weightScales, zeroPoints: weightScales.map { _ in 0 }, axis: isDepthwise ? 3 : 0)
        let zeros = [Int32](repeating: 0, count: bias.elementCount)
        operands = [
          .input(
            try RandomElements.bytes(
              TensorType(.int8, input, quantization: try Self.activations))),
          .constant(try RandomElements.bytes(TensorType(.int8, weights, quantization: perChannel))),
          .constant(try Tensor(zeros, shape: bias)),
        ]
        result = TensorType(.int8, .scalar, quantization: try Self.activations)
      } else {
        operands = [
          .input(try RandomElements.floats(input)), .constant(try RandomElements.floats(weights)),
          .constant(try RandomElements.floats(bias)),
        ]
      }
      return SingleNode(operation: operation, operands: operands, result: result)
    }

    /// What a ReLU6 leaves over all 256 steps, as converters have it.
    private static var activations: Quantization {
      get throws(ApusError) { try Quantization(scales: [6 / 255], zeroPoints: [-128]) }
    }

    /// Scales by which results fill the range of a ReLU6, within a factor of two from channel to channel, as those of
    /// MobileNets do: they decide whether a cheaper way rounds as the fixed-point multiplications do.
    private var weightScales: [Float] {
      var state = SplitMix64(seed: 2)
      let typical = 0.02 / Float(weights.elementCount / bias.elementCount).squareRoot()
      return (0..<bias.elementCount).map { _ in typical * (1.25 + 0.75 * state.nextFloat()) }
    }

    private var operation: any Operation {
      isDepthwise
        ? DepthwiseConvolution2D(
          padding: .same, strideY: shape.stride, strideX: shape.stride, activation: .relu6)
        : Convolution2D(padding: .same, strideY: shape.stride, strideX: shape.stride, activation: .relu6)
    }
  }
}

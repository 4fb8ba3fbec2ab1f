import Kernels
import TensorCore

/// A transposed convolution of int8, uint8 or int16 activations, in plain loops.
struct IntegerTransposeConvolution: Sendable {
  /// Of the convolution whose transpose this is: its input is our result.
  private let geometry: ConvolutionGeometry
  /// Weights less their zero point, [O, kh, kw, C].
  private let weights: [Int32]
  private let bias: [Int64]
  private let multipliers: [FixedPointMultiplier]
  private let inputZeroPoint: Int32
  private let outputZeroPoint: Int32
  private let range: ClosedRange<Int32>
  private let sumsAre64Bit: Bool

  init(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ linear: LinearTypes,
    _ activation: Activation
  ) throws(ApusError) {
    self.geometry = geometry
    let zero = linear.weights.quantization?.zeroPoint ?? 0
    weights = try context.operands.requireConstant(1, "the weights").integers().map { Int32($0) &- zero }
    bias =
      linear.bias == nil
      ? Array(repeating: 0, count: linear.columns)
      : try context.operands.requireConstant(3, "the bias").integers().map(Int64.init)
    multipliers = try linear.multipliers()
    inputZeroPoint = linear.inputZeroPoint
    outputZeroPoint = linear.result.quantization?.zeroPoint ?? 0
    range = try activation.quantizedRange(for: linear.result.quantization, linear.result.dataType)
    sumsAre64Bit = linear.form == .integer16 && linear.bias?.dataType != .int32
  }

  func lowering(_ dataType: DataType) -> Lowering {
    switch dataType {
    case .uint8: lowering(UInt8.self)
    case .int8: lowering(Int8.self)
    default: lowering(Int16.self)
    }
  }

  private func lowering<Element: FixedWidthInteger & TensorElement>(_: Element.Type) -> Lowering {
    Lowering("integer loops", products: Element.self == Int16.self ? .int16 : .int8) { [self] arguments in
      let input = arguments.input(2, as: Element.self)
      let output = arguments.output(0, as: Element.self)
      arguments.parallel(geometry.batch * geometry.inputHeight, grain: 1) { rows in
        for row in rows { computeRow(row, input, output) }
      }
    }
  }

  private func computeRow<Element: FixedWidthInteger>(
    _ row: Int, _ input: UnsafeBufferPointer<Element>, _ output: UnsafeMutableBufferPointer<Element>
  ) {
    let filters = geometry.inputChannels
    for x in 0..<geometry.inputWidth {
      for filter in 0..<filters {
        let sum = bias[filter] &+ sum(input, row: row, x: x, filter: filter)
        let scaled =
          sumsAre64Bit
          ? multipliers[filter].apply(wide: sum) : multipliers[filter].apply(Int32(truncatingIfNeeded: sum))
        let stored = max(range.lowerBound, min(range.upperBound, scaled &+ outputZeroPoint))
        output[(row * geometry.inputWidth + x) * filters + filter] = Element(truncatingIfNeeded: stored)
      }
    }
  }

  private func sum<Element: FixedWidthInteger>(
    _ input: UnsafeBufferPointer<Element>, row: Int, x: Int, filter: Int
  ) -> Int64 {
    let (v, h) = (geometry.vertical, geometry.horizontal)
    let channels = geometry.outputChannels
    let image = row / v.inputSize
    var sum: Int64 = 0
    for tapY in 0..<v.filterSize {
      guard let sourceY = v.source(row % v.inputSize, tap: tapY) else { continue }
      for tapX in 0..<h.filterSize {
        guard let sourceX = h.source(x, tap: tapX) else { continue }
        let source = ((image * v.outputSize + sourceY) * h.outputSize + sourceX) * channels
        let weight = (filter * geometry.taps + tapY * h.filterSize + tapX) * channels
        for channel in 0..<channels {
          let value = Int32(truncatingIfNeeded: input[source + channel]) &- inputZeroPoint
          sum &+= Int64(value) &* Int64(weights[weight + channel])
        }
      }
    }
    return sum
  }
}

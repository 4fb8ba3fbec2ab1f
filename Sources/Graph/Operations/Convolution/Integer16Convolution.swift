import Kernels
import TensorCore

/// A convolution of int16 activations by int8 weights, in plain loops with 64-bit sums: for what no kernel does.
struct Integer16Convolution: Sendable {
  let geometry: ConvolutionGeometry
  /// Filter o, tap t, channel c of its group at `o × filterStride + t × tapStride + c`.
  let weights: [Int8]
  let filterStride: Int
  let tapStride: Int
  let bias: [Int64]
  let multipliers: [FixedPointMultiplier]
  let range: ClosedRange<Int32>
  /// An int32 bias makes the reference sum in 32 bits and round as the 8-bit kernels do.
  let sumsAre32Bit: Bool
  let rounding: FixedPointMultiplier.Rounding

  init(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ linear: LinearTypes,
    activation: Activation, filterStride: Int, tapStride: Int
  ) throws(ApusError) {
    self.geometry = geometry
    self.filterStride = filterStride
    self.tapStride = tapStride
    weights = try context.operands.requireConstant(1, "the weights").elements()
    if linear.bias != nil {
      let tensor = try context.operands.requireConstant(2, "the bias")
      bias = try tensor.integers().map(Int64.init)
    } else {
      bias = Array(repeating: 0, count: linear.columns)
    }
    sumsAre32Bit = linear.bias?.dataType == .int32
    multipliers = try linear.multipliers()
    rounding = linear.rounding
    range = try activation.quantizedRange(for: linear.result.quantization, .int16)
  }

  func lowering() -> Lowering {
    Lowering("int16 loops", products: .int16) { [self] arguments in
      let input = arguments.input(0, as: Int16.self)
      let output = arguments.output(0, as: Int16.self)
      arguments.parallel(geometry.batch * geometry.outputHeight, grain: 1) { rows in
        for row in rows { computeRow(row, input, output) }
      }
    }
  }

  private func computeRow(
    _ row: Int, _ input: UnsafeBufferPointer<Int16>, _ output: UnsafeMutableBufferPointer<Int16>
  ) {
    let g = geometry
    let image = row / g.outputHeight
    let y = row % g.outputHeight
    var place = row * g.outputWidth * g.outputChannels
    for x in 0..<g.outputWidth {
      for filter in 0..<g.outputChannels {
        let sum = bias[filter] &+ sum(input, image: image, y: y, x: x, filter: filter)
        let scaled = scale(sum, by: multipliers[filter])
        output[place] = Int16(truncatingIfNeeded: max(range.lowerBound, min(range.upperBound, scaled)))
        place += 1
      }
    }
  }

  @inline(__always)
  private func scale(_ sum: Int64, by multiplier: FixedPointMultiplier) -> Int32 {
    switch (rounding, sumsAre32Bit) {
    case (.once, _): multiplier.applyOnce(sum)
    case (.twice, true): multiplier.apply(Int32(truncatingIfNeeded: sum))
    case (.twice, false): multiplier.apply(wide: sum)
    }
  }

  private func sum(_ input: UnsafeBufferPointer<Int16>, image: Int, y: Int, x: Int, filter: Int) -> Int64 {
    let g = geometry
    let group = filter / g.filtersPerGroup
    var sum: Int64 = 0
    for tapY in g.vertical.taps(y) {
      let inputY = g.vertical.position(y, tap: tapY)
      for tapX in g.horizontal.taps(x) {
        let inputX = g.horizontal.position(x, tap: tapX)
        let source =
          ((image * g.inputHeight + inputY) * g.inputWidth + inputX) * g.inputChannels
          + group * g.channelsPerGroup
        let weight = filter * filterStride + (tapY * g.horizontal.filterSize + tapX) * tapStride
        for channel in 0..<g.channelsPerGroup {
          sum &+= Int64(input[source + channel]) &* Int64(weights[weight + channel])
        }
      }
    }
    return sum
  }
}

extension Convolution2D {
  func integer16(
    _ context: LoweringContext, _ geometry: ConvolutionGeometry, _ linear: LinearTypes
  ) throws(ApusError) -> Lowering {
    try Integer16Convolution(
      context, geometry, linear, activation: attributes.activation, filterStride: geometry.depth,
      tapStride: geometry.channelsPerGroup
    ).lowering()
  }
}

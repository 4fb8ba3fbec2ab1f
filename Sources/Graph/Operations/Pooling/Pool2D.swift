import TensorCore

/// The average, the greatest element or the root mean square of the windows of an image (NHWC), channel by
/// channel; padding does not count.
///
/// float32; quantized int8, uint8 and int16 for averages and greatest elements, with a result of the same
/// scale. Source of the rounding rules: TFLite's reference `AveragePool`.
package struct Pool2D: Operation {
  package enum Kind: String, Sendable { case average, max, l2 }

  package let kind: Kind
  package let filter: (height: Int, width: Int)
  package let stride: (height: Int, width: Int)
  package let padding: Padding
  package let activation: Activation
  package var name: String { "\(kind.rawValue)Pool2D" }
  package var resultMeaning: ResultMeaning { kind == .average ? .someNumbers(of: 0) : .computed }

  package init(
    _ kind: Kind, filterHeight: Int, filterWidth: Int, strideHeight: Int, strideWidth: Int,
    padding: Padding, activation: Activation = .none
  ) {
    self.kind = kind
    filter = (filterHeight, filterWidth)
    stride = (strideHeight, strideWidth)
    self.padding = padding
    self.activation = activation
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: kind == .l2 ? [.float32] : [.float32, .int8, .uint8, .int16])
    try activation.requireClamp()
    let windows = try windows(input.shape)
    try requireElements(windows.rows)
    try requireElements(windows.columns)
    let shape = try Shape([
      input.shape[0], windows.rows.outputSize, windows.columns.outputSize, input.shape[3],
    ])
    let result = try operands.result(shape, like: 0)
    if input.dataType != .float32 { try requireSameScale(input, result) }
    return [result]
  }

  private func windows(_ shape: Shape) throws(ApusError) -> (rows: SpatialWindow, columns: SpatialWindow) {
    guard shape.rank == 4 else {
      throw ApusError(
        .malformedModel, "an image of shape \(shape)", expected: "4 axes: batch, height, width, channel")
    }
    let rows = try SpatialWindow(
      inputSize: shape[1], filterSize: filter.height, stride: stride.height, padding: padding, axis: .height)
    let columns = try SpatialWindow(
      inputSize: shape[2], filterSize: filter.width, stride: stride.width, padding: padding, axis: .width)
    return (rows, columns)
  }

  /// - Throws: where a window lies in the padding with all of it.
  private func requireElements(_ window: SpatialWindow) throws(ApusError) {
    guard window.outputSize > 0 else { return }
    guard !window.taps(0).isEmpty, !window.taps(window.outputSize - 1).isEmpty else {
      throw ApusError(
        .malformedModel,
        "padding \(window.padBefore), \(window.padAfter) around a window of \(window.filterSize)",
        expected: "less padding than the window has elements")
    }
  }

  private func requireSameScale(_ input: TensorType, _ result: TensorType) throws(ApusError) {
    let from = try input.uniformQuantization("the input", symmetric16: false)
    let to = try result.uniformQuantization("the result", symmetric16: false)
    guard abs(from.scale - to.scale) <= 1e-6, from.zeroPoint == to.zeroPoint else {
      throw ApusError(
        .unsupportedModel, "a result of scale \(to.scale) and zero point \(to.zeroPoint)",
        expected: "those of the input, \(from.scale) and \(from.zeroPoint)")
    }
    _ = try activation.quantizedRange(for: to, result.dataType)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let windows = try windows(input.shape)
    let layout = PoolLayout(rows: windows.rows, columns: windows.columns, channels: input.shape[3])
    let vectors = VectorPooling(layout: layout, kernels: context.kernels)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if input.dataType == .float32 {
      let clamp = FloatClamp(activation)
      switch kind {
      case .average: return Lowering(kernel, body: vectors.means(clamp))
      case .l2: return Lowering(kernel, body: rootMeanSquareBody(layout, clamp))
      case .max: return Lowering(kernel, body: vectors.greatest(clamp))
      }
    }
    let range = try activation.quantizedRange(for: context.result.quantization, input.dataType)
    let isSigned = input.dataType == .int8
    if kind == .max, input.dataType.byteCount == 1 {
      return Lowering(kernel, body: vectors.greatest(range, isSigned: isSigned))
    }
    // More taps' sum might not be a whole number of float32, by which the kernel divides.
    if kind == .average, input.dataType.byteCount == 1, filter.height * filter.width < 1 << 16 {
      return Lowering(kernel, body: vectors.means(range, isSigned: isSigned))
    }
    let body: Lowering.Body =
      switch input.dataType {
      case .int8: integerBody(layout, range, Int8.self)
      case .uint8: integerBody(layout, range, UInt8.self)
      default: integerBody(layout, range, Int16.self)
      }
    return Lowering(kernel, body: body)
  }

  private func integerBody<Element: QuantizedElement>(
    _ layout: PoolLayout, _ range: ClosedRange<Int32>, _: Element.Type
  ) -> Lowering.Body {
    if kind == .max {
      return greatestBody(
        layout, Element(clamping: range.lowerBound), Element(clamping: range.upperBound))
    }
    return integerAverageBody(layout, range, Element.self)
  }
}

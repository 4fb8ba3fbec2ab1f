import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Convolutions and products of integers.
  static let integerConvolution: [ONNXOperator] = [
    ONNXOperator("ConvInteger") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.integerConvolution(filters: 1, zeros: (2, 3))]
    },
    ONNXOperator("QLinearConv") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      var sums = try step.integerConvolution(filters: 3, zeros: (2, 5))
      if step.has(8) {
        let bias = try ONNXValue(plain: step.channels(step.plain(8), of: sums))
        sums = try step.combined(sums, bias, Add())
      }
      let scale = try step.ratio(1, 4, 6) { (value) throws(ApusError) in try step.channels(value, of: sums) }
      return [try step.requantized(sums, scale, zero: 7)]
    },
    ONNXOperator("QLinearMatMul") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      let a = try step.integerFactor(0, 2, isRow: true, isFirst: true)
      let sums = try step.integerProduct(a, by: step.integerFactor(3, 5))
      let scale = try step.ratio(1, 4, 6) { (value) throws(ApusError) in value }
      return [try step.requantized(ONNXValue(plain: sums), scale, zero: 7)]
    },
  ]
}

extension ONNXStep {
  /// Sums of products with filters, of int32: those of the windows of pictures as rows of a matrix, padded by the zero point.
  /// - Parameters:
  ///   - index: of the filters [M, C / groups, …].
  ///   - zeros: the operands that are zero points.
  fileprivate func integerConvolution(
    filters index: Int, zeros: (picture: Int, filters: Int)
  ) throws(ApusError) -> ONNXValue {
    let (shape, weights) = (try shape(0), try shape(index))
    let kernel = Array(weights.dimensions.dropFirst(2))
    guard try integers("kernel_shape") ?? kernel == kernel else {
      throw ApusError(
        .malformedModel, "kernel_shape \(try integers("kernel_shape") ?? [])", expected: "\(kernel)")
    }
    let window = try ONNXWindow(self, kernel: kernel, over: shape)
    try window.requirePicture()
    let groups = try integer("group", default: 1)
    guard groups > 0, weights.rank == shape.rank, weights[0] % groups == 0,
      weights[1].multipliedReportingOverflow(by: groups) == (shape[1], false)
    else {
      throw ApusError(
        .malformedModel, "filters \(weights) in \(groups) groups over \(shape)",
        expected: "the channels in groups")
    }
    let (x, w) = (
      try integerFactor(0, zeros.picture), try integerFactor(index, zeros.filters)
    )
    let size = window.pair(kernel)
    let picture = try picture(ONNXValue(plain: x.bytes))
    let windows = ImagePatches(
      filterHeight: size.height, filterWidth: size.width, groups: groups, window.attributes)
    guard type(of: x.zero).shape.elementCount == 1 else {
      throw ApusError(.unsupportedModel, "zero points of each channel of the pictures", expected: "one")
    }
    let rows = try add(windows, [picture, cast(reshaped(x.zero, []), to: .int8)])
    let sums = try integerProduct(
      (rows, reshaped(x.zero, [])), by: filterColumns(w, weights, groups: groups))
    // [N, groups, windows, M / groups] → [N, height, width, M]
    let joined = try transposed(sums, [0, 2, 1, 3])
    let (height, width) = try extents(window, type(of: picture).shape)
    return try value(
      ofPicture: reshaped(joined, [shape[0], height, width, weights[0]]), isSequence: window.isSequence)
  }

  /// How many windows lie over a picture with channels last.
  private func extents(_ window: ONNXWindow, _ picture: Shape) throws(ApusError) -> (height: Int, width: Int)
  {
    let (kernel, attributes) = (window.pair(window.kernel), window.attributes)
    let vertical = try SpatialWindow(
      inputSize: picture[1], filterSize: kernel.height, stride: attributes.strideY,
      dilation: attributes.dilationY, padding: attributes.padding, axis: .height)
    let horizontal = try SpatialWindow(
      inputSize: picture[2], filterSize: kernel.width, stride: attributes.strideX,
      dilation: attributes.dilationX, padding: attributes.padding, axis: .width)
    return (vertical.outputSize, horizontal.outputSize)
  }

  /// Filters as the columns of a matrix for each group [1, groups, taps · channels, M / groups], and their zero points.
  private func filterColumns(
    _ filters: (bytes: Value, zero: Value), _ shape: Shape, groups: Int
  ) throws(ApusError) -> (bytes: Value, zero: Value) {
    let perGroup = shape[0] / groups
    let taps = shape.dimensions[2...].saturatingProduct
    let cut = try reshaped(filters.bytes, [1, groups, perGroup, shape[1], taps])
    let columns = try reshaped(
      transposed(cut, [0, 1, 4, 3, 2]), [1, groups, [taps, shape[1]].saturatingProduct, perGroup])
    let zeros = type(of: filters.zero).shape.elementCount
    guard zeros == 1 || zeros == shape[0] else {
      throw ApusError(
        .malformedModel, "\(zeros) zero points for \(shape[0]) filters", expected: "1, or one for each")
    }
    return (columns, try reshaped(filters.zero, zeros == 1 ? [] : [1, groups, 1, perGroup]))
  }

  /// One number for all, or for each channel of a value, so that it broadcasts in the file's order.
  fileprivate func channels(_ numbers: Value, of value: ONNXValue) throws(ApusError) -> Value {
    let count = type(of: numbers).shape.elementCount
    let shape = try translation.shape(of: value)
    guard count == 1 || count == shape[1] else {
      throw ApusError(
        .malformedModel, "\(count) numbers for \(shape[1]) channels", expected: "1, or one for each")
    }
    if count == 1 { return try reshaped(numbers, []) }
    return try reshaped(numbers, [count] + [Int](repeating: 1, count: shape.rank - 2))
  }

  /// What sums are multiplied by: the scales of both operands by that of the result.
  /// - Parameter spread: brings the scale of operand `second` to the shape of the sums.
  func ratio(
    _ first: Int, _ second: Int, _ result: Int, _ spread: (Value) throws(ApusError) -> Value
  ) throws(ApusError) -> Value {
    let scales = try add(Multiply(), [rowScale(first), spread(rowScale(second, isRow: false))])
    return try add(Divide(), [scales, rowScale(result)])
  }

  /// A scale: one for all, for each row or for each column.
  private func rowScale(_ index: Int, isRow: Bool = true) throws(ApusError) -> Value {
    let scale = try plain(index)
    let shape = type(of: scale).shape
    if shape.elementCount == 1 { return try reshaped(scale, []) }
    return isRow && shape.rank == 1 ? try reshaped(scale, [shape[0], 1]) : scale
  }

  /// Sums times a scale, rounded to the nearest whole number (halves to even), about a zero point, limited to its type.
  func requantized(_ sums: ONNXValue, _ scale: Value, zero: Int) throws(ApusError) -> ONNXValue {
    let type = has(zero) ? try dataType(zero) : try dataType(0)
    guard [.int8, .uint8, .int16, .uint16].contains(type) else {
      throw ApusError(.unsupportedModel, "numbers quantized to \(type.rawValue)", expected: "8 or 16 bits")
    }
    let (operands, isChannelsLast) = try aligned([sums, ONNXValue(plain: scale)])
    let steps = try add(Multiply(), [cast(operands[0], to: .float32), operands[1]])
    let point = has(zero) ? try rowScale(zero) : nil
    return value(try quantized(steps, point, type), isChannelsLast: isChannelsLast)
  }
}

import Formats
import Graph
import TensorCore

extension ONNXOperators {
  static let convolution: [ONNXOperator] = [
    ONNXOperator("Conv") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.convolution()]
    },
    ONNXOperator("ConvTranspose") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.transposeConvolution()]
    },
  ]
}

extension ONNXStep {
  /// Known filters, with the axes of sequences made those of pictures of one row.
  /// - Parameter change: what is made of them, in the file's order, before.
  private func filters(
    _ order: [Int], _ change: (Tensor) throws(ApusError) -> Tensor = { $0 }
  ) throws(ApusError) -> Value {
    guard let stored = try known(1) else {
      throw ApusError(
        .unsupportedModel, "input 1 (the filters) is computed while the model runs", expected: "known filters"
      )
    }
    var weights = stored
    if weights.shape.rank == 3 {
      let shape = weights.shape.dimensions
      weights = try weights.reshaped(to: [shape[0], shape[1], 1, shape[2]])
    }
    guard weights.shape.rank == 4 else {
      throw ApusError(.unsupportedModel, "filters of shape \(stored.shape)", expected: "3 or 4 axes")
    }
    let filters = constant(try change(weights).reordered(order))
    return weights.dataType == .bfloat16 ? try cast(filters, to: .float32) : filters
  }

  private func kernel(_ weights: Shape) throws(ApusError) -> [Int] {
    let kernel = Array(weights.dimensions.dropFirst(2))
    guard try integers("kernel_shape") ?? kernel == kernel else {
      throw ApusError(
        .malformedModel, "kernel_shape \(try integers("kernel_shape") ?? [])",
        expected: "\(kernel), as the filters have")
    }
    return kernel
  }

  private func knownBias() throws(ApusError) -> [Value] {
    guard has(2) else { return [] }
    guard let bias = try known(2) else {
      throw ApusError(
        .unsupportedModel, "input 2 (the bias) is computed while the model runs", expected: "a known one")
    }
    return [try cast(constant(bias), to: .float32)]
  }

  fileprivate func convolution() throws(ApusError) -> ONNXValue {
    let (shape, weights) = (try shape(0), try shape(1))
    let window = try ONNXWindow(self, kernel: kernel(weights), over: shape)
    try window.requirePicture()
    let groups = try integer("group", default: 1)
    guard groups > 0, weights.rank == shape.rank,
      weights[1].multipliedReportingOverflow(by: groups) == (shape[1], false)
    else {
      throw ApusError(
        .malformedModel, "filters \(weights) in \(groups) groups over \(shape)",
        expected: "the channels in groups")
    }
    let picture = try picture(input(0))
    let isDepthwise = groups > 1 && weights[1] == 1
    let operands = [picture, try filters(isDepthwise ? [1, 2, 3, 0] : [0, 2, 3, 1])] + (try knownBias())
    let result =
      isDepthwise
      ? try add(DepthwiseConvolution2D(window.attributes), operands)
      : try add(Convolution2D(window.attributes), operands)
    return try value(ofPicture: result, isSequence: window.isSequence)
  }

  fileprivate func transposeConvolution() throws(ApusError) -> ONNXValue {
    let (shape, weights) = (try shape(0), try shape(1))
    let groups = try integer("group", default: 1)
    guard groups > 0, shape.rank > 2, weights.rank == shape.rank, weights[0] == shape[1],
      weights[0] % groups == 0
    else {
      throw ApusError(
        .malformedModel, "filters \(weights) in \(groups) groups over \(shape)",
        expected: "the channels in groups")
    }
    let size = try ONNXTransposeSize(self, kernel: kernel(weights), over: shape)
    let picture = try picture(input(0))
    let window = size.window
    let (height, width) = window.pair(size.result)
    let type = TensorType(
      .float32, try Shape([shape[0], height, width, [weights[1], groups].saturatingProduct]))
    let extents = constant(try Tensor(type.shape.dimensions.map { Int32(clamping: $0) }))
    let (strideY, strideX) = window.pair(window.strides)
    let operation = TransposeConvolution2D(padding: size.padding, strideY: strideY, strideX: strideX)
    let dilations = window.pair(window.dilations)
    let filters = try filters([1, 2, 3, 0]) { (weights) throws(ApusError) in
      groups == 1 && dilations == (1, 1)
        ? weights
        : try weights.spread(groups: groups, dilationY: dilations.height, dilationX: dilations.width)
    }
    let result = try add(operation, [extents, filters, picture] + knownBias(), type: type)
    return try value(ofPicture: result, isSequence: window.isSequence)
  }
}

/// The size of the result of a transposed convolution, and the pads that are cut off it.
private struct ONNXTransposeSize {
  let window: ONNXWindow
  private(set) var result: [Int] = []
  private var before: [Int]
  private var after: [Int]

  init(_ step: ONNXStep, kernel: [Int], over shape: Shape) throws(ApusError) {
    window = try ONNXWindow(step, kernel: kernel, over: shape)
    try window.requirePicture()
    let count = window.extents.count
    let extra = try step.integers("output_padding") ?? [Int](repeating: 0, count: count)
    let wanted = try step.integers("output_shape")
    let padding = ExactText(try step.text("auto_pad", default: "NOTSET"))
    (before, after) = (window.before, window.after)
    guard extra.count == count, wanted?.count ?? count == count,
      extra.allSatisfy({ (0...(1 << 24)).contains($0) }),
      wanted?.allSatisfy({ (1...(1 << 31)).contains($0) }) != false
    else {
      throw ApusError(
        .malformedModel, "output_padding \(extra), output_shape \(wanted ?? [])", expected: "\(count) numbers"
      )
    }
    let isSame = padding == "SAME_UPPER" || padding == "SAME_LOWER"
    for axis in 0..<count {
      guard window.extents[axis] <= 1 << 31 else { throw ApusError(.malformedModel, "shape \(shape)") }
      let whole = window.strides[axis] * (window.extents[axis] - 1) + extra[axis] + window.span(axis)
      if let asked = wanted?[axis] ?? (isSame ? window.extents[axis] * window.strides[axis] : nil) {
        let total = max(0, whole - asked)
        (before[axis], after[axis]) =
          padding == "SAME_UPPER" ? (total / 2, total - total / 2) : (total - total / 2, total / 2)
        result.append(asked)
      } else {
        result.append(whole - before[axis] - after[axis])
      }
    }
  }

  var padding: Padding {
    window.isSequence
      ? .explicit(top: 0, bottom: 0, left: before[0], right: after[0])
      : .explicit(top: before[0], bottom: after[0], left: before[1], right: after[1])
  }
}

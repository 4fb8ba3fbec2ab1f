import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Windows sliding over pictures.
  static let pooling: [ONNXOperator] = [
    ONNXOperator("MaxPool") { (step) throws(ApusError) in
      step.passOver("storage_order")
      try step.requireOutputs(atMost: 1)
      return [try step.pooled(.max)]
    },
    ONNXOperator("AveragePool") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.pooled(.average)]
    },
    ONNXOperator("GlobalAveragePool") { (step) throws(ApusError) in [try step.pooledWhole(.mean)] },
    ONNXOperator("GlobalMaxPool") { (step) throws(ApusError) in [try step.pooledWhole(.max)] },
  ]
}

extension ONNXStep {
  /// - Parameter source: what is pooled; operand 0 where there is none.
  func pooled(_ kind: Pool2D.Kind, of source: ONNXValue? = nil) throws(ApusError) -> ONNXValue {
    guard let kernel = try integers("kernel_shape") else {
      throw ApusError(.malformedModel, "no kernel_shape", expected: "one")
    }
    let source = try operand(source)
    let shape = try translation.shape(of: source)
    var window = try ONNXWindow(self, kernel: kernel, over: shape)
    try window.requirePicture()
    let dataType = translation.dataType(of: source)
    var isBytes = false
    if dataType == .int8, kind == .max { isBytes = try steps(source) != nil }
    guard dataType == .float32 || isBytes else {
      throw ApusError(.unsupportedModel, "a pool of \(dataType.rawValue)", expected: "of floats")
    }
    let includesPads = try flag("count_include_pad")
    let countsPads = kind == .average && includesPads
    let roundsUp = try flag("ceil_mode")
    var picture = try picture(source)
    if countsPads, (window.before + window.after).contains(where: { $0 > 0 }) {
      (picture, window) = try paddedByZeros(picture, window, shape)
    }
    if roundsUp { window.roundUp() }
    let isDilated = window.dilations.contains { $0 > 1 }
    let result = isDilated ? try dilated(picture, window, kind) : try add(pool(kind, window), [picture])
    return try value(ofPicture: result, isSequence: window.isSequence)
  }

  private func pool(_ kind: Pool2D.Kind, _ window: ONNXWindow) -> Pool2D {
    let (filter, stride) = (window.pair(window.kernel), window.pair(window.strides))
    return Pool2D(
      kind, filterHeight: filter.height, filterWidth: filter.width, strideHeight: stride.height,
      strideWidth: stride.width, padding: window.padding)
  }

  /// A picture with the zeros around it that count as its elements.
  private func paddedByZeros(
    _ picture: Value, _ window: ONNXWindow, _ shape: Shape
  ) throws(ApusError) -> (Value, ONNXWindow) {
    let (before, after) = (window.pair(window.before), window.pair(window.after))
    let rows = window.isSequence ? (0, 0) : (before.height, after.height)
    let pads = [0, 0, rows.0, rows.1, before.width, after.width, 0, 0]
    let padded = try add(Pad(), [picture, constant(try Tensor(pads.map { Int64($0) }, shape: [4, 2]))])
    var extents: [Int] = []
    for axis in window.extents.indices {
      extents.append(window.extents[axis] + window.before[axis] + window.after[axis])
    }
    return (padded, window.withoutPads(over: extents))
  }

  /// A greatest element of windows with gaps.
  private func dilated(_ picture: Value, _ window: ONNXWindow, _ kind: Pool2D.Kind) throws(ApusError) -> Value
  {
    guard kind == .max else {
      throw ApusError(.unsupportedModel, "an average with dilations \(window.dilations)", expected: "1")
    }
    var axes = [WindowAxis](repeating: WindowAxis(), count: 4)
    let (size, stride) = (window.pair(window.kernel), window.pair(window.strides))
    let gap = window.isSequence ? (height: 1, width: window.dilations[0]) : window.pair(window.dilations)
    guard case .explicit(let top, let bottom, let left, let right) = window.padding else { return picture }
    (axes[1].size, axes[1].stride, axes[1].windowStep) = (size.height, stride.height, gap.height)
    (axes[2].size, axes[2].stride, axes[2].windowStep) = (size.width, stride.width, gap.width)
    (axes[1].padding, axes[2].padding) = ((top, bottom), (left, right))
    return try add(ReduceWindow(.max, axes: axes), [picture, scalar(-.infinity)])
  }

  /// One number for each channel.
  func pooledWhole(_ kind: Reduce.Kind, of source: ONNXValue? = nil) throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let source = try operand(source)
    let shape = try translation.shape(of: source)
    let rank = shape.rank
    guard rank > 2 else {
      throw ApusError(.malformedModel, "shape \(shape)", expected: "at least 3 axes")
    }
    let isHeld = source.channelsLast != nil
    let x = isHeld ? try channelsLast(source) : try plain(source)
    let axes = isHeld ? Array(1..<(rank - 1)) : Array(2..<rank)
    return value(
      try add(Reduce(kind, axes: axes, keepDimensions: true, reachesInfinity: true), [x]),
      isChannelsLast: isHeld, narrowType: narrowType)
  }
}

import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Tensors put together, cut up and continued.
  static let joining: [ONNXOperator] = [
    ONNXOperator("Concat") { (step) throws(ApusError) in
      var values: [ONNXValue] = []
      for index in 0..<step.inputCount { values.append(try step.input(index)) }
      return [try step.joined(values)]
    },
    ONNXOperator("Split") { (step) throws(ApusError) in
      let shape = try step.shape(0)
      let axis = try shape.axis(step.integer("axis"))
      let sizes = try step.partSizes(shape[axis])
      // Each by itself, so that what is done with one of them is seen by itself.
      if try step.dataType(0) == .float32, sizes.allSatisfy({ $0 >= 0 }), sizes.reduce(0, +) == shape[axis] {
        var (begin, size) = ([Int](repeating: 0, count: shape.rank), shape.dimensions)
        var parts: [ONNXValue?] = []
        for extent in sizes {
          size[axis] = extent
          let part = try step.add(Slice(), [step.plain(0), step.constant(begin), step.constant(size)])
          parts.append(ONNXValue(plain: part, narrowType: step.narrowType))
          begin[axis] += extent
        }
        return parts
      }
      let parts = try step.add(
        SplitV(count: sizes.count), [step.plain(0), step.constant(sizes), step.constant([axis])],
        count: sizes.count)
      return parts.map { ONNXValue(plain: $0, narrowType: step.narrowType) }
    },
    ONNXOperator("Pad") { (step) throws(ApusError) in [try step.padded()] },
    .plain("DepthToSpace") { (step) throws(ApusError) in
      let size = try step.blockSize()
      let shape = try step.shape(0)
      let depth = shape[1] / (size * size)
      let (n, h, w) = (shape[0], shape[2], shape[3])
      let isColumnFirst = ExactText(try step.text("mode", default: "DCR")) == "CRD"
      guard depth * size * size == shape[1] else {
        throw ApusError(
          .malformedModel, "blocks of \(size) in shape \(shape)", expected: "channels that are a multiple")
      }
      let cut = isColumnFirst ? [n, depth, size, size, h, w] : [n, size, size, depth, h, w]
      let order = isColumnFirst ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2]
      return try step.reshaped(
        step.transposed(step.reshaped(step.plain(0), cut), order),
        [n, depth, [h, size].saturatingProduct, [w, size].saturatingProduct])
    },
    .plain("SpaceToDepth") { (step) throws(ApusError) in
      let size = try step.blockSize()
      let shape = try step.shape(0)
      guard shape[2] % size == 0, shape[3] % size == 0 else {
        throw ApusError(
          .malformedModel, "blocks of \(size) in shape \(shape)", expected: "sides that are multiples")
      }
      let (n, c, h, w) = (shape[0], shape[1], shape[2] / size, shape[3] / size)
      let cut = try step.reshaped(step.plain(0), [n, c, h, size, w, size])
      return try step.reshaped(
        step.transposed(cut, [0, 3, 5, 1, 2, 4]), [n, [c, size, size].saturatingProduct, h, w])
    },
  ]
}

extension ONNXStep {
  /// Values put together along the axis that the attribute names.
  func joined(_ values: [ONNXValue]) throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    guard let first = values.first else {
      throw ApusError(.malformedModel, "no inputs", expected: "at least one")
    }
    let shape = try translation.shape(of: first)
    var axis = try shape.axis(integer("axis"))
    let isHeld = shape.rank > 2 && values.allSatisfy { $0.channelsLast != nil }
    if isHeld { axis = axis == 0 ? 0 : axis == 1 ? shape.rank - 1 : axis - 1 }
    var operands: [Value] = []
    for value in values { operands.append(isHeld ? try channelsLast(value) : try plain(value)) }
    let result = operands.count == 1 ? operands[0] : try add(Concatenation(axis: axis), operands)
    return value(result, isChannelsLast: isHeld, narrowType: narrowType)
  }

  /// The sizes of the parts of an axis of `extent`: an attribute before version 13, an operand since; else equal ones, the last
  /// of which may be smaller.
  fileprivate func partSizes(_ extent: Int) throws(ApusError) -> [Int] {
    if version < 13, let sizes = try integers("split") { return sizes }
    if version >= 13, has(1) { return try integers(1, "the sizes") }
    let count = version >= 18 ? try integer("num_outputs", default: outputCount) : outputCount
    guard count > 0, count <= outputCount else {
      throw ApusError(.malformedModel, "\(count) parts and \(outputCount) results", expected: "as many")
    }
    let size = (extent + count - 1) / count
    guard version >= 18 || size * count == extent, extent > size * (count - 1) || extent == 0 else {
      throw ApusError(.malformedModel, "\(count) equal parts of \(extent)", expected: "a multiple")
    }
    return [Int](repeating: size, count: count - 1) + [extent - size * (count - 1)]
  }

  fileprivate func blockSize() throws(ApusError) -> Int {
    let size = try integer("blocksize")
    guard (1...(1 << 15)).contains(size), try shape(0).rank == 4 else {
      throw ApusError(
        .malformedModel, "blocks of \(size) in shape \(try shape(0))", expected: "4 axes, and a size over 0")
    }
    return size
  }

  fileprivate func padded() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let shape = try shape(0)
    var pads = version < 11 ? try integers("pads") ?? [] : try integers(1, "the pads")
    if version >= 18, has(3) { pads = try spread(pads, over: integers(3, "the axes"), shape) }
    guard pads.count == 2 * shape.rank else {
      throw ApusError(.malformedModel, "\(pads.count) pads for shape \(shape)", expected: "two for each axis")
    }
    let source = try input(0)
    let isHeld = source.plain == nil
    var x = isHeld ? try channelsLast(source) : try plain(source)
    var before = Array(pads[..<shape.rank])
    var after = Array(pads[shape.rank...])
    if isHeld { (before, after) = (before.channelsLast, after.channelsLast) }
    x = try cropped(x, before, after)
    let pairs = zip(before, after).flatMap { [max($0, 0), max($1, 0)] }
    let counts = constant(try Tensor(pairs.map { Int64($0) }, shape: [shape.rank, 2]))
    let result: Value
    switch ExactText(try text("mode", default: "constant")) {
    case "constant":
      if version < 11 {
        result = try add(Pad(), [x, counts, scalar(float("value"))])
      } else if has(2) {
        result = try add(Pad(), [x, counts, reshaped(plain(2), [])])
      } else {
        result = try add(Pad(), [x, counts])
      }
    case "reflect": result = try add(MirrorPad(mode: .reflect), [x, counts])
    case "edge": result = try edged(x, pairs)
    case let mode:
      throw ApusError(.unsupportedModel, "padding by '\(mode)'", expected: "constant, reflect or edge")
    }
    return value(result, isChannelsLast: isHeld, narrowType: narrowType)
  }

  /// The pads of some axes, with none for the others.
  private func spread(_ pads: [Int], over axes: [Int], _ shape: Shape) throws(ApusError) -> [Int] {
    guard pads.count == 2 * axes.count else {
      throw ApusError(.malformedModel, "\(pads.count) pads for \(axes.count) axes", expected: "two for each")
    }
    var all = [Int](repeating: 0, count: 2 * shape.rank)
    for (index, named) in axes.enumerated() {
      let axis = try shape.axis(named)
      (all[axis], all[shape.rank + axis]) = (pads[index], pads[axes.count + index])
    }
    return all
  }

  /// Without the elements that negative pads take away.
  private func cropped(_ x: Value, _ before: [Int], _ after: [Int]) throws(ApusError) -> Value {
    guard (before + after).contains(where: { $0 < 0 }) else { return x }
    let extents = type(of: x).shape.dimensions
    let starts = before.map { -min(max($0, -(1 << 40)), 0) }
    let sizes = extents.indices.map { extents[$0] - starts[$0] + min(max(after[$0], -(1 << 40)), 0) }
    guard sizes.allSatisfy({ $0 >= 0 }) else {
      throw ApusError(
        .malformedModel, "pads \(before) and \(after) for \(extents)", expected: "less to take away")
    }
    return try add(Slice(), [x, constant(starts), constant(sizes)])
  }

  /// The first and last elements repeated along each axis, by indices.
  private func edged(_ x: Value, _ pairs: [Int]) throws(ApusError) -> Value {
    var result = x
    for (axis, extent) in type(of: x).shape.dimensions.enumerated() {
      let (before, after) = (pairs[2 * axis], pairs[2 * axis + 1])
      guard before > 0 || after > 0 else { continue }
      guard extent > 0, [before, after, extent].allSatisfy({ $0 < 1 << 24 }) else {
        throw ApusError(
          .unsupportedModel, "pads \(before) and \(after) of an axis of \(extent)",
          expected: "fewer than \(1 << 24)")
      }
      let indices = (-before..<(extent + after)).map { min(max($0, 0), extent - 1) }
      result = try add(Gather(axis: axis), [result, constant(indices)])
    }
    return result
  }
}

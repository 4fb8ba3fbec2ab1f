import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Sequences of tensors, as exporters write parts of one. They are known when the graph is made, and are none of its values.
  static let sequences: [ONNXOperator] = [
    ONNXOperator("SplitToSequence") { (step) throws(ApusError) in
      let shape = try step.shape(0)
      let axis = try shape.axis(step.integer("axis"))
      let keepsAxis = try step.flag("keepdims", default: true)
      let sizes = try step.sequenceSizes(shape[axis])
      let parts = try step.parts(sizes, axis: axis).compactMap { $0 }
      guard !keepsAxis, !step.has(1) else { return [ONNXValue(list: parts)] }
      var rest = shape.dimensions
      rest.remove(at: axis)
      var list: [ONNXValue] = []
      for part in parts {
        list.append(
          ONNXValue(plain: try step.reshaped(step.plain(part), rest), narrowType: part.narrowType))
      }
      return [ONNXValue(list: list)]
    },
    ONNXOperator("SequenceConstruct") { (step) throws(ApusError) in
      var list: [ONNXValue] = []
      for index in 0..<step.inputCount { list.append(try step.input(index)) }
      return [ONNXValue(list: list)]
    },
    ONNXOperator("SequenceAt") { (step) throws(ApusError) in
      let list = try step.sequence()
      let position = try step.integer(1, "the position")
      let index = position < 0 ? position &+ list.count : position
      guard list.indices.contains(index) else {
        throw ApusError(
          .malformedModel, "position \(position) of \(list.count)", expected: "one that there is")
      }
      return [list[index]]
    },
    .plain("SequenceLength") { (step) throws(ApusError) in
      try step.constant(Tensor(scalar: Int64(step.sequence().count)))
    },
    ONNXOperator("ConcatFromSequence") { (step) throws(ApusError) in
      let list = try step.sequence()
      guard let first = list.first else {
        throw ApusError(.malformedModel, "a sequence of no tensors", expected: "at least one")
      }
      var parts: [Value] = []
      for value in list { parts.append(try step.plain(value)) }
      let axis = try step.integer("axis")
      let result =
        try step.flag("new_axis")
        ? step.add(Pack(axis: axis), parts) : step.add(Concatenation(axis: axis), parts)
      return [ONNXValue(plain: result, narrowType: first.narrowType)]
    },
  ]

  /// The operators that take a sequence, or give one on.
  static let sequenceReaders: Set<ExactText> = [
    ExactText("SequenceAt"), ExactText("SequenceLength"), ExactText("ConcatFromSequence"),
    ExactText("Identity"),
    ExactText("If"),
  ]
}

extension ONNXStep {
  fileprivate func sequence() throws(ApusError) -> [ONNXValue] {
    guard let list = try input(0).list else {
      throw ApusError(.malformedModel, "a tensor", expected: "a sequence")
    }
    return list
  }

  /// The sizes of the parts of an axis: each 1 without an operand, one for all but the last, or a list.
  fileprivate func sequenceSizes(_ extent: Int) throws(ApusError) -> [Int] {
    var sizes: [Int]
    if has(1), try shape(1).rank > 0 {
      sizes = try integers(1, "the sizes")
    } else {
      let size = has(1) ? try integer(1, "the size") : 1
      guard size > 0 else { throw ApusError(.malformedModel, "parts of \(size)", expected: "1 or more") }
      let count = extent / size + (extent % size == 0 ? 0 : 1)
      try requireParts(count)
      sizes = [Int](repeating: min(size, extent), count: count)
      if let last = sizes.indices.last, extent % size != 0 { sizes[last] = extent % size }
    }
    try requireParts(sizes.count)
    return sizes
  }

  private func requireParts(_ count: Int) throws(ApusError) {
    guard count <= 1 << 12 else {
      throw ApusError(.unsupportedModel, "a sequence of \(count) tensors", expected: "at most \(1 << 12)")
    }
  }
}

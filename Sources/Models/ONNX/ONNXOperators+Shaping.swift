import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Other shapes and types for the same elements.
  static let shaping: [ONNXOperator] = [
    ONNXOperator("Identity") { (step) throws(ApusError) in [try step.input(0)] },
    ONNXOperator("Dropout") { (step) throws(ApusError) in
      // In inference nothing is dropped; a mode of training that is known to be off says no more.
      step.passOver("ratio", "seed", "is_test")
      try step.requireOutputs(atMost: 1)
      if step.has(2) {
        let trains = try step.constant(2, "the mode of training").elements(of: Bool.self)
        guard trains == [false] else { throw ApusError(.unsupportedModel, "a dropout in training") }
      }
      return [try step.input(0)]
    },
    .plain("Reshape") { (step) throws(ApusError) in
      let keepsZero = try step.flag("allowzero")
      let shape = try step.shape(0)
      var wanted = try step.integers(1, "the new shape")
      for (axis, extent) in wanted.enumerated() where extent == 0 && !keepsZero {
        guard axis < shape.rank else {
          throw ApusError(
            .malformedModel, "shape \(wanted) for \(shape)", expected: "0 only for axes that there are")
        }
        wanted[axis] = shape[axis]
      }
      return try step.reshaped(step.plain(0), wanted)
    },
    .plain("Flatten") { (step) throws(ApusError) in
      let shape = try step.shape(0)
      let asked = try step.integer("axis", default: 1)
      let axis = asked < 0 ? asked + shape.rank : asked
      guard (0...shape.rank).contains(axis) else {
        throw ApusError(.malformedModel, "axis \(asked) of shape \(shape)", expected: "0 to \(shape.rank)")
      }
      let split = [shape.dimensions[..<axis], shape.dimensions[axis...]]
      return try step.reshaped(step.plain(0), split.map { $0.saturatingProduct })
    },
    .plain("Squeeze") { (step) throws(ApusError) in
      let axes =
        step.version < 13 ? try step.integers("axes") : step.has(1) ? try step.integers(1, "the axes") : nil
      if let axes, axes.isEmpty { return try step.plain(0) }
      return try step.add(Squeeze(axes: axes ?? []), [step.plain(0)])
    },
    .plain("Unsqueeze") { (step) throws(ApusError) in
      let axes = step.version < 13 ? try step.integers("axes") ?? [] : try step.integers(1, "the axes")
      let shape = try step.shape(0)
      let rank = shape.rank + axes.count
      let places = Set(axes.map { $0 < 0 ? $0 &+ rank : $0 })
      guard places.count == axes.count, places.allSatisfy((0..<rank).contains), rank <= Shape.maximumRank
      else {
        throw ApusError(
          .malformedModel, "new axes \(axes) for shape \(shape)", expected: "different ones below \(rank)")
      }
      var rest = shape.dimensions[...]
      return try step.reshaped(
        step.plain(0), (0..<rank).map { places.contains($0) ? 1 : rest.popFirst() ?? 1 })
    },
    ONNXOperator("Transpose") { (step) throws(ApusError) in [try step.transposedValue()] },
    .plain("Expand") { (step) throws(ApusError) in
      let wanted = try Shape(step.integers(1, "the shape"))
      let shape = try step.shape(0).broadcast(with: wanted)
      return try step.add(BroadcastTo(), [step.plain(0), step.constant(shape.dimensions)])
    },
    .plain("Tile") { (step) throws(ApusError) in
      try step.add(Tile(), [step.plain(0), step.constant(step.integers(1, "the repetitions"))])
    },
    ONNXOperator("Cast") { (step) throws(ApusError) in
      step.passOver("saturate", "round_mode")
      let number = try step.integer("to")
      guard let type = ONNXElementType(rawValue: Int32(clamping: number)), let dataType = type.dataType else {
        let name = ONNXElementType(rawValue: Int32(clamping: number))?.name
        throw ApusError(
          .unsupportedModel, "a cast to \(name ?? "type \(number)")", expected: "to numbers or bool")
      }
      return [try step.converted(to: dataType)]
    },
    ONNXOperator("CastLike") { (step) throws(ApusError) in
      step.passOver("saturate", "round_mode")
      let wanted = try step.dataType(1)
      return [try step.converted(to: step.input(1).narrowType ?? wanted)]
    },
  ]
}

extension ONNXStep {
  /// Operand 0 in a type of the file.
  fileprivate func converted(to dataType: DataType) throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    if dataType == .float32, case .byteProduct(let product, isCast: false)? = deferral(0)?.form {
      return ONNXValue(
        ONNXDeferral(.byteProduct(product, isCast: true)) { () throws(ApusError) in
          ONNXValue(plain: try self.cast(self.plain(0), to: .float32))
        })
    }
    let source = try input(0)
    if source.narrowType == dataType { return source }
    let (operands, isChannelsLast) = try aligned([source])
    guard dataType.isNarrowFloat else {
      return value(try cast(operands[0], to: dataType), isChannelsLast: isChannelsLast)
    }
    let rounded = try cast(cast(operands[0], to: dataType), to: .float32)
    return value(rounded, isChannelsLast: isChannelsLast, narrowType: dataType)
  }

  /// Operand 0 with its axes in another order, which may be the one that it is held in.
  fileprivate func transposedValue() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let source = try input(0)
    let rank = try shape(0).rank
    let order = try integers("perm") ?? Array((0..<rank).reversed())
    guard order.sorted() == Array(0..<rank) else {
      throw ApusError(.malformedModel, "the permutation \(order)", expected: "each of \(rank) axes once")
    }
    if rank > 2, order == Array(0..<rank).channelsFirst, source.channelsLast == nil {
      return ONNXValue(channelsLast: try plain(source), narrowType: source.narrowType)
    }
    guard source.plain == nil, let held = source.channelsLast else {
      return ONNXValue(plain: try transposed(plain(source), order), narrowType: source.narrowType)
    }
    // Where each axis of the file's order stands in the other one.
    let places = order.map { $0 == 0 ? 0 : $0 == 1 ? rank - 1 : $0 - 1 }
    return ONNXValue(plain: try transposed(held, places), narrowType: source.narrowType)
  }
}

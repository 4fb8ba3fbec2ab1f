import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Numbers brought to a common scale.
  static let normalization: [ONNXOperator] = [
    ONNXOperator("Softmax") { (step) throws(ApusError) in [try step.alongAxis(Softmax())] },
    ONNXOperator("LogSoftmax") { (step) throws(ApusError) in [try step.alongAxis(LogSoftmax())] },
    ONNXOperator("BatchNormalization") { (step) throws(ApusError) in [try step.batchNormalized()] },
    ONNXOperator("LayerNormalization") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 3)
      step.passOver("stash_type")
      let epsilon = try step.float("epsilon", default: 1e-5)
      let rows = try step.normalizedRows(LayerNormalization(epsilon: epsilon), hasOffset: true)
      let statistics = try step.wants(1) || step.wants(2) ? step.statistics(epsilon) : []
      return [ONNXValue(plain: rows, narrowType: step.narrowType)] + statistics.map { ONNXValue(plain: $0) }
    },
    .plain("RMSNormalization") { (step) throws(ApusError) in
      step.passOver("stash_type")
      let epsilon = try step.float("epsilon", default: 1e-5)
      return try step.normalizedRows(RMSNormalization(epsilon: epsilon), hasOffset: false)
    },
    .plain("InstanceNormalization") { (step) throws(ApusError) in
      let epsilon = try step.float("epsilon", default: 1e-5)
      let shape = try step.shape(0)
      guard shape.rank > 2 else {
        throw ApusError(.malformedModel, "shape \(shape)", expected: "at least 3 axes")
      }
      return try step.normalizedGroups(shape[1], epsilon, perGroup: false)
    },
    .plain("GroupNormalization") { (step) throws(ApusError) in
      step.passOver("stash_type")
      let epsilon = try step.float("epsilon", default: 1e-5)
      return try step.normalizedGroups(
        step.integer("num_groups"), epsilon, perGroup: step.version < 21)
    },
    .plain("LpNormalization") { (step) throws(ApusError) in
      let shape = try step.shape(0)
      let axis = try shape.axis(step.integer("axis", default: -1))
      let isSquare = try step.integer("p", default: 2) == 2
      let x = try step.plain(0)
      let magnitudes = try isSquare ? step.add(Multiply(), [x, x]) : step.add(UnaryMath(.abs), [x])
      let sum = try step.add(Reduce(.sum, axes: [axis], keepDimensions: true), [magnitudes])
      let norm = isSquare ? try step.add(UnaryMath(.sqrt), [sum]) : sum
      // Nothing but zeros stays so.
      let isZero = try step.add(Compare(.equal), [norm, step.scalar(0)])
      return try step.add(
        Divide(), [x, step.add(Select(broadcasts: true), [isZero, step.scalar(1), norm])])
    },
  ]
}

extension ONNXStep {
  /// An operation along one axis; before version 13, along that and all behind it.
  /// - Parameters:
  ///   - source: what the operation is applied to; operand 0 where there is none.
  ///   - version: of the operator, where it is another than the node's.
  func alongAxis(
    _ operation: some Operation, of source: ONNXValue? = nil, version stated: Int? = nil
  ) throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let version = stated ?? version
    let source = try operand(source)
    let shape = try translation.shape(of: source)
    let axis = try shape.axis(integer("axis", default: version < 13 ? 1 : -1))
    if version < 13 {
      let split = [shape.dimensions[..<axis], shape.dimensions[axis...]].map { $0.saturatingProduct }
      let rows = try add(operation, [reshaped(plain(source), split)])
      return ONNXValue(plain: try reshaped(rows, shape.dimensions), narrowType: narrowType)
    }
    if axis == 1, shape.rank > 2, let held = source.channelsLast {
      return ONNXValue(channelsLast: try add(operation, [held]), narrowType: narrowType)
    }
    var order = Array(0..<shape.rank)
    order.swapAt(axis, shape.rank - 1)
    let rows = try add(operation, [transposed(plain(source), order)])
    return ONNXValue(plain: try transposed(rows, order), narrowType: narrowType)
  }

  /// `(x − mean) / √(variance + ε) · scale + offset`, with known statistics of each channel.
  fileprivate func batchNormalized() throws(ApusError) -> ONNXValue {
    passOver("momentum")
    try requireOutputs(atMost: 1)
    guard try flag("spatial", default: true) else {
      throw ApusError(.unsupportedModel, "statistics of each element", expected: "of each channel")
    }
    guard try !flag("training_mode") else {
      throw ApusError(.unsupportedModel, "a batch normalization in training", expected: "in inference")
    }
    let epsilon = try float("epsilon", default: 1e-5)
    let shape = try shape(0)
    guard shape.rank > 1 else {
      throw ApusError(.malformedModel, "shape \(shape)", expected: "at least 2 axes")
    }
    var numbers: [[Float]] = []
    for (index, role) in ["the scale", "the offset", "the mean", "the variance"].enumerated() {
      let found = try constant(index + 1, role).elements(of: Float.self)
      guard found.count == shape[1] else {
        throw ApusError(.malformedModel, "\(role) of \(found.count) numbers", expected: "\(shape[1])")
      }
      numbers.append(found)
    }
    let scale = (0..<shape[1]).map { numbers[0][$0] / (numbers[3][$0] + epsilon).squareRoot() }
    let offset = (0..<shape[1]).map { numbers[1][$0] - numbers[2][$0] * scale[$0] }
    let source = try input(0)
    let isHeld = shape.rank == 2 || source.channelsLast != nil
    let x = isHeld ? try channelsLast(source) : try plain(source)
    let extents = isHeld ? [shape[1]] : [shape[1]] + [Int](repeating: 1, count: shape.rank - 2)
    let scaled = try add(Multiply(), [x, constant(try Tensor(scale, shape: extents))])
    return value(
      try add(Add(), [scaled, constant(try Tensor(offset, shape: extents))]),
      isChannelsLast: isHeld && shape.rank > 2, narrowType: narrowType)
  }

  /// The mean of each row, and one by its standard deviation.
  fileprivate func statistics(_ epsilon: Float) throws(ApusError) -> [Value] {
    let x = try plain(0)
    let shape = type(of: x).shape
    let axes = Array(try shape.axis(integer("axis", default: -1))..<shape.rank)
    func averaged(_ x: Value) throws(ApusError) -> Value {
      try add(Reduce(.mean, axes: axes, keepDimensions: true), [x])
    }
    let mean = try averaged(x)
    let distance = try add(Subtract(), [x, mean])
    let variance = try add(Add(), [averaged(add(Multiply(), [distance, distance])), scalar(epsilon)])
    return [mean, try add(UnaryMath(.rsqrt), [variance])]
  }

  /// Rows of all axes from one on, normalized, scaled and shifted.
  func normalizedRows(_ operation: some Operation, hasOffset: Bool) throws(ApusError) -> Value {
    let shape = try shape(0)
    let axis = try shape.axis(integer("axis", default: -1))
    let row = Array(shape.dimensions[axis...])
    let length = row.saturatingProduct
    let rows = try reshaped(plain(0), Array(shape.dimensions[..<axis]) + [length])
    var factors: [Value] = []
    for index in hasOffset ? 1...2 : 1...1 {
      guard let known = try knownFactor(index, row) else {
        return try spelledRows(operation, rows, shape, hasOffset)
      }
      factors.append(known)
    }
    return try reshaped(add(operation, [rows] + factors), shape.dimensions)
  }

  /// A known operand as one number for each column; zeros for an offset that is left out; nil for one that is computed.
  private func knownFactor(_ index: Int, _ row: [Int]) throws(ApusError) -> Value? {
    let length = row.saturatingProduct
    guard has(index) else { return try constant(0, count: length) }
    guard let known = try known(index), known.dataType != .float64 else { return nil }
    if known.shape.elementCount == length { return constant(try known.reshaped(to: [length])) }
    guard try known.shape.broadcast(with: Shape(row)).dimensions == row else { return nil }
    return try reshaped(add(BroadcastTo(), [plain(index), constant(row)]), [length])
  }

  /// The same with factors that are computed.
  private func spelledRows(
    _ operation: some Operation, _ rows: Value, _ shape: Shape, _ hasOffset: Bool
  ) throws(ApusError) -> Value {
    let length = type(of: rows).shape.dimensions.last ?? 1
    let (ones, zeros) = (try constant(1, count: length), try constant(0, count: length))
    let normalized = try reshaped(
      add(operation, hasOffset ? [rows, ones, zeros] : [rows, ones]), shape.dimensions)
    let scaled = try add(Multiply(), [normalized, plain(1)])
    return has(2) ? try add(Add(), [scaled, plain(2)]) : scaled
  }

  /// Groups of channels of each picture, normalized together, then each channel (or group) scaled and shifted.
  fileprivate func normalizedGroups(_ groups: Int, _ epsilon: Float, perGroup: Bool) throws(ApusError)
    -> Value
  {
    let shape = try shape(0)
    guard shape.rank > 1, groups > 0, shape[1] % groups == 0, shape[1] > 0 else {
      throw ApusError(
        .malformedModel, "\(groups) groups of shape \(shape)", expected: "a divisor of its channels")
    }
    let spatial = shape.dimensions[2...].saturatingProduct
    let length = [shape[1] / groups, spatial].saturatingProduct
    let (ones, zeros) = (try constant(1, count: length), try constant(0, count: length))
    var x = try add(
      LayerNormalization(epsilon: epsilon), [reshaped(plain(0), [shape[0], groups, length]), ones, zeros])
    let channels = perGroup ? groups : shape[1]
    x = try reshaped(x, [shape[0], channels, [shape[1] / channels, spatial].saturatingProduct])
    x = try add(Multiply(), [x, reshaped(plain(1), [channels, 1])])
    return try reshaped(add(Add(), [x, reshaped(plain(2), [channels, 1])]), shape.dimensions)
  }
}

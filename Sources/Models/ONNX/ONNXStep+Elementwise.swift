import Formats
import Graph
import TensorCore

/// Operations element by element, in whichever order of axes their operands are held.
extension ONNXStep {
  /// Operands that broadcast, all in one order.
  func aligned(_ values: [ONNXValue]) throws(ApusError) -> (values: [Value], isChannelsLast: Bool) {
    var shapes: [Shape] = []
    for value in values { shapes.append(try translation.shape(of: value)) }
    let rank = shapes.map(\.rank).max() ?? 0
    let whole = zip(values, shapes).filter { $1.rank == rank && $0.stored == nil }.map(\.0)
    let isHeld =
      rank > 2 && !whole.isEmpty
      && (whole.contains { $0.plain == nil } || whole.allSatisfy { $0.channelsLast != nil })
    var aligned: [Value] = []
    for (value, shape) in zip(values, shapes) {
      if !isHeld || shape.elementCount == 1 && value.channelsLast == nil {
        aligned.append(try plain(value))
      } else if shape.rank == rank {
        aligned.append(try channelsLast(value))
      } else {
        let padded = [Int](repeating: 1, count: rank - shape.rank) + shape.dimensions
        aligned.append(try transposed(reshaped(plain(value), padded), Array(0..<rank).channelsLast))
      }
    }
    return (aligned, isHeld)
  }

  func value(_ value: Value, isChannelsLast: Bool, narrowType: DataType? = nil) -> ONNXValue {
    isChannelsLast
      ? ONNXValue(channelsLast: value, narrowType: narrowType)
      : ONNXValue(plain: value, narrowType: narrowType)
  }

  /// An operation on each pair of elements. Small integers are computed as wider ones, whose low bits are theirs.
  /// - Parameter keepsType: whether results are of the operands' type.
  func combined(
    _ first: ONNXValue, _ second: ONNXValue, _ operation: some Operation, keepsType: Bool = true
  ) throws(ApusError) -> ONNXValue {
    let (operands, isChannelsLast) = try aligned([first, second])
    let dataType = type(of: operands[0]).dataType
    guard type(of: operands[1]).dataType == dataType else {
      throw ApusError(
        .malformedModel, "operands of \(dataType.rawValue) and \(type(of: operands[1]).dataType.rawValue)",
        expected: "one type")
    }
    let result = try add(
      operation, [cast(operands[0], to: dataType.computedType), cast(operands[1], to: dataType.computedType)])
    return value(
      keepsType ? try cast(result, to: dataType) : result, isChannelsLast: isChannelsLast,
      narrowType: keepsType ? narrowType : nil)
  }

  /// An operation on each element of an operand.
  func mapped(_ operand: ONNXValue, _ operation: some Operation) throws(ApusError) -> ONNXValue {
    let (operands, isChannelsLast) = try aligned([operand])
    let dataType = type(of: operands[0]).dataType
    let result = try add(operation, [cast(operands[0], to: dataType.computedType)])
    return value(
      try cast(result, to: dataType), isChannelsLast: isChannelsLast, narrowType: operand.narrowType)
  }

  /// What some arithmetic makes of each element of operand 0, which must be of float32.
  func computed(
    _ body: (Value) throws(ApusError) -> Value
  ) throws(ApusError) -> [ONNXValue?] {
    try requireOutputs(atMost: 1)
    let (operands, isChannelsLast) = try aligned([input(0)])
    return [value(try body(operands[0]), isChannelsLast: isChannelsLast, narrowType: narrowType)]
  }
}

extension DataType {
  /// The type that Apus has arithmetic for in its place: integers without a scale are of 32 or 64 bits.
  var computedType: DataType {
    switch self {
    case .int8, .uint8, .int16, .uint16: .int32
    case .uint32: .int64
    default: self
    }
  }
}

extension ONNXOperator {
  /// An operator on each element of its operand.
  static func map(_ name: String, _ operation: some Operation) -> Self {
    Self(name) { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.mapped(step.input(0), operation)]
    }
  }

  /// An operator on each pair of elements.
  static func pair(_ name: String, _ operation: some Operation, keepsType: Bool = true) -> Self {
    Self(name) { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try step.combined(step.input(0), step.input(1), operation, keepsType: keepsType)]
    }
  }

  /// An operator that joins all of its operands, two at a time.
  static func chain(_ name: String, _ operation: some Operation) -> Self {
    Self(name) { (step) throws(ApusError) in [try step.chained(operation)] }
  }
}

extension ONNXStep {
  func chained(_ operation: some Operation) throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    var result = try input(0)
    for index in 1..<max(inputCount, 1) { result = try combined(result, input(index), operation) }
    return result
  }
}

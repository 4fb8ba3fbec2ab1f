import TensorCore

/// What an operation is told about its operands when the graph is built or compiled.
package struct Operands: Sendable {
  /// The operands' types; nil where an optional one is left out.
  package let inputs: [TensorType?]
  /// The operands that are known already.
  package let constants: [Tensor?]
  /// The element type and quantization that the model declares for each result. The shape is what the
  /// operation infers; while it infers, the declared one is only a hint.
  package let declared: [TensorType]

  package init(inputs: [TensorType?], constants: [Tensor?], declared: [TensorType]) {
    self.inputs = inputs
    self.constants = constants
    self.declared = declared
  }

  package var count: Int { inputs.count }

  /// The type of an operand that must be there.
  package func input(_ index: Int) throws(ApusError) -> TensorType {
    guard index < inputs.count, let type = inputs[index] else {
      throw ApusError(.malformedModel, "input \(index) is missing")
    }
    return type
  }

  /// Whether an optional operand is there.
  package func has(_ index: Int) -> Bool { index < inputs.count && inputs[index] != nil }

  /// The elements of an operand, if they are known.
  package func constant(_ index: Int) -> Tensor? { index < constants.count ? constants[index] : nil }

  /// The elements of an operand that must be known before the model runs.
  package func requireConstant(_ index: Int, _ role: String) throws(ApusError) -> Tensor {
    guard let tensor = constant(index) else {
      throw ApusError(
        .unsupportedModel, "\(role) (input \(index)) is computed while the model runs",
        expected: "a value known when it is loaded")
    }
    return tensor
  }

  /// The elements of an integer operand that must be known, whatever its width.
  package func requireIntegers(_ index: Int, _ role: String) throws(ApusError) -> [Int] {
    try requireConstant(index, role).integers()
  }

  /// The type of result `index` with the shape inferred: its element type and quantization are those
  /// declared, else those of the first operand.
  package func output(_ shape: Shape, _ index: Int = 0) throws(ApusError) -> TensorType {
    if index < declared.count {
      return TensorType(declared[index].dataType, shape, quantization: declared[index].quantization)
    }
    let first = try input(0)
    return TensorType(first.dataType, shape, quantization: first.quantization)
  }

  /// Refuses an operand count outside `range`.
  package func requireCount(_ range: ClosedRange<Int>) throws(ApusError) {
    guard range.contains(inputs.count) else {
      let wanted =
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw ApusError(.malformedModel, "\(inputs.count) inputs", expected: wanted)
    }
  }
}

extension Tensor {
  /// The elements of a tensor of any integer type.
  package func integers() throws(ApusError) -> [Int] {
    switch dataType {
    case .int8: try elements(of: Int8.self).map(Int.init)
    case .uint8: try elements(of: UInt8.self).map(Int.init)
    case .int16: try elements(of: Int16.self).map(Int.init)
    case .uint16: try elements(of: UInt16.self).map(Int.init)
    case .int32: try elements(of: Int32.self).map(Int.init)
    case .uint32: try elements(of: UInt32.self).map(Int.init)
    case .int64: try elements(of: Int64.self).map(Int.init)
    case .uint64: try elements(of: UInt64.self).map { Int(clamping: $0) }
    default:
      throw ApusError(.malformedModel, "a tensor of \(dataType.rawValue)", expected: "integers")
    }
  }
}

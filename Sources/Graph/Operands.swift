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
  /// - Parameters:
  ///   - role: what it is to the operation, for errors: `the indices`.
  ///   - types: the element types that it may have; any when nil.
  ///   - rank: the rank that it must have; any when nil.
  package func input(
    _ index: Int, _ role: String? = nil, of types: [DataType]? = nil, rank: Int? = nil
  ) throws(ApusError) -> TensorType {
    guard index < inputs.count, let type = inputs[index] else {
      throw ApusError(.malformedModel, "\(Self.place(index, role)) is missing")
    }
    if let types, !types.contains(type.dataType) {
      throw ApusError(
        .unsupportedModel, "\(Self.place(index, role)) is a tensor of \(type.dataType.rawValue)",
        expected: types.map(\.rawValue).joined(separator: ", "))
    }
    if let rank, type.shape.rank != rank {
      throw ApusError(
        .malformedModel, "\(Self.place(index, role)) has shape \(type.shape)", expected: "rank \(rank)")
    }
    return type
  }

  /// What errors call an operand: `input 1 (the indices)`.
  static func place(_ index: Int, _ role: String?) -> String {
    role.map { "input \(index) (\($0))" } ?? "input \(index)"
  }

  /// Whether an optional operand is there.
  package func has(_ index: Int) -> Bool { index < inputs.count && inputs[index] != nil }

  /// The elements of an operand, if they are known.
  package func constant(_ index: Int) -> Tensor? { index < constants.count ? constants[index] : nil }

  /// Refuses an operand count outside `range`.
  package func requireCount(_ range: ClosedRange<Int>) throws(ApusError) {
    guard range.contains(inputs.count) else {
      let wanted =
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw ApusError(.malformedModel, "\(inputs.count) inputs", expected: wanted)
    }
  }

  /// Refuses operands `indices` whose element types are not all the same.
  func requireSameType(_ indices: some Sequence<Int>) throws(ApusError) {
    var first: DataType?
    for index in indices {
      let type = try input(index).dataType
      guard first == nil || first == type else {
        throw ApusError(
          .malformedModel, "input \(index) is a tensor of \(type.rawValue)",
          expected: first?.rawValue ?? type.rawValue)
      }
      first = type
    }
  }
}

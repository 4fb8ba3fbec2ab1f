import TensorCore

/// The elements of operand 0 as numbers of another type, by the rules of ``CastElement``; quantization plays
/// no part. All types but uint64.
package struct Cast: Operation {
  package let type: DataType
  package var name: String { "cast" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init(to type: DataType) { self.type = type }

  private static let types = DataType.allCases.filter { $0 != .uint64 }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, "the operand", of: Self.types)
    guard Self.types.contains(type) else {
      throw ApusError(.unsupportedModel, "a cast to \(type.rawValue)", expected: "another type")
    }
    return [try operands.result(input.shape, of: type)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let from = try context.operands.input(0).dataType
    if from == type { return .alias(ofInput: 0) }
    return switch from {
    case .float16: lowering(from: CastFloat16.self)
    case .bfloat16: lowering(from: CastBFloat16.self)
    case .float32: lowering(from: Float.self)
    case .float64: lowering(from: Double.self)
    case .int8: lowering(from: Int8.self)
    case .int16: lowering(from: Int16.self)
    case .int32: lowering(from: Int32.self)
    case .int64, .uint64: lowering(from: Int64.self)
    case .uint8: lowering(from: UInt8.self)
    case .uint16: lowering(from: UInt16.self)
    case .uint32: lowering(from: UInt32.self)
    case .bool: lowering(from: CastBool.self)
    }
  }

  private func lowering<Source: CastElement>(from: Source.Type) -> Lowering {
    switch type {
    case .float16: lowering(from, to: CastFloat16.self)
    case .bfloat16: lowering(from, to: CastBFloat16.self)
    case .float32: lowering(from, to: Float.self)
    case .float64: lowering(from, to: Double.self)
    case .int8: lowering(from, to: Int8.self)
    case .int16: lowering(from, to: Int16.self)
    case .int32: lowering(from, to: Int32.self)
    case .int64, .uint64: lowering(from, to: Int64.self)
    case .uint8: lowering(from, to: UInt8.self)
    case .uint16: lowering(from, to: UInt16.self)
    case .uint32: lowering(from, to: UInt32.self)
    case .bool: lowering(from, to: CastBool.self)
    }
  }

  private func lowering<Source: CastElement, Target: CastElement>(
    _: Source.Type, to: Target.Type
  ) -> Lowering {
    Lowering("cast") { arguments in
      let source = arguments.input(0, as: Source.self)
      let target = arguments.output(0, as: Target.self)
      arguments.parallel(target.count, grain: 1 << 16) { range in
        for index in range { target[index] = Target(source[index].number) }
      }
    }
  }
}

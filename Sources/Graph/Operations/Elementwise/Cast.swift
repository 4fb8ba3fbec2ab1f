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
    if let convert = from.directCast(to: type) {
      return Self.lowering(convert, from.byteCount, type.byteCount)
    }
    let (read, isReal) = from.castReader
    let write = type.castWriter(isReal: isReal)
    let (sourceBytes, targetBytes) = (from.byteCount, type.byteCount)
    let convert: CastStep = { source, target, count in
      withUnsafeTemporaryAllocation(byteCount: 8 * numbersAtATime, alignment: 8) { numbers in
        guard let numbers = numbers.baseAddress else { return }
        for start in stride(from: 0, to: count, by: numbersAtATime) {
          let count = min(numbersAtATime, count - start)
          read(source + start * sourceBytes, numbers, count)
          write(numbers, target + start * targetBytes, count)
        }
      }
    }
    return Self.lowering(convert, sourceBytes, targetBytes)
  }

  private static func lowering(
    _ convert: @escaping CastStep, _ sourceBytes: Int, _ targetBytes: Int
  ) -> Lowering {
    Lowering("cast") { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let target = arguments.outputAddress(0)
      arguments.parallel(arguments.outputCounts[0], grain: 1 << 16) { range in
        convert(
          source + range.lowerBound * sourceBytes, target + range.lowerBound * targetBytes, range.count)
      }
    }
  }
}

/// Numbers that are read before they are written.
private let numbersAtATime = 128

/// Makes `count` numbers of as many elements, elements of numbers, or elements of those of another type.
private typealias CastStep =
  @Sendable (
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
  ) -> Void

extension DataType {
  /// What masks, pixels and indices go through, in one step; nil for other pairs of types.
  fileprivate func directCast(to type: DataType) -> CastStep? {
    switch (self, type) {
    case (.bool, .float32): direct(CastBool.self, Float.self)
    case (.uint8, .float32): direct(UInt8.self, Float.self)
    case (.int8, .float32): direct(Int8.self, Float.self)
    case (.int32, .float32): direct(Int32.self, Float.self)
    case (.int64, .float32): direct(Int64.self, Float.self)
    case (.int64, .int32): direct(Int64.self, Int32.self)
    case (.int32, .int64): direct(Int32.self, Int64.self)
    default: nil
    }
  }

  /// Elements of this type to numbers, of Double when they are real and of Int64 otherwise: with the writers as many loops as
  /// there are types three times over, and not their square.
  fileprivate var castReader: (read: CastStep, isReal: Bool) {
    switch self {
    case .float16: (reader(of: CastFloat16.self), true)
    case .bfloat16: (reader(of: BFloat16.self), true)
    case .float32: (reader(of: Float.self), true)
    case .float64: (reader(of: Double.self), true)
    case .int8: (reader(of: Int8.self), false)
    case .int16: (reader(of: Int16.self), false)
    case .int32: (reader(of: Int32.self), false)
    case .int64, .uint64: (reader(of: Int64.self), false)
    case .uint8: (reader(of: UInt8.self), false)
    case .uint16: (reader(of: UInt16.self), false)
    case .uint32: (reader(of: UInt32.self), false)
    case .bool: (reader(of: CastBool.self), false)
    }
  }

  /// Numbers to elements of this type.
  fileprivate func castWriter(isReal: Bool) -> CastStep {
    switch self {
    case .float16: writer(of: CastFloat16.self, isReal)
    case .bfloat16: writer(of: BFloat16.self, isReal)
    case .float32: writer(of: Float.self, isReal)
    case .float64: writer(of: Double.self, isReal)
    case .int8: writer(of: Int8.self, isReal)
    case .int16: writer(of: Int16.self, isReal)
    case .int32: writer(of: Int32.self, isReal)
    case .int64, .uint64: writer(of: Int64.self, isReal)
    case .uint8: writer(of: UInt8.self, isReal)
    case .uint16: writer(of: UInt16.self, isReal)
    case .uint32: writer(of: UInt32.self, isReal)
    case .bool: writer(of: CastBool.self, isReal)
    }
  }
}

private func direct<Source: CastElement, Target: CastElement>(
  _: Source.Type, _: Target.Type
) -> CastStep where Source.Number == Int64 {
  { source, target, count in
    let source = source.assumingMemoryBound(to: Source.self)
    let target = target.assumingMemoryBound(to: Target.self)
    for index in 0..<count { target[index] = Target(whole: source[index].number) }
  }
}

private func reader<Element: CastElement>(of _: Element.Type) -> CastStep {
  { source, target, count in
    let source = source.assumingMemoryBound(to: Element.self)
    let target = target.assumingMemoryBound(to: Element.Number.self)
    for index in 0..<count { target[index] = source[index].number }
  }
}

private func writer<Element: CastElement>(of _: Element.Type, _ isReal: Bool) -> CastStep {
  if isReal {
    return { source, target, count in
      let source = source.assumingMemoryBound(to: Double.self)
      let target = target.assumingMemoryBound(to: Element.self)
      for index in 0..<count { target[index] = Element(real: source[index]) }
    }
  }
  return { source, target, count in
    let source = source.assumingMemoryBound(to: Int64.self)
    let target = target.assumingMemoryBound(to: Element.self)
    for index in 0..<count { target[index] = Element(whole: source[index]) }
  }
}

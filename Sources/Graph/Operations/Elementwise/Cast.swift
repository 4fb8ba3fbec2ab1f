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
    let (read, isReal) = from.castReader
    let write = type.castWriter(isReal: isReal)
    let (sourceBytes, targetBytes) = (from.byteCount, type.byteCount)
    return Lowering("cast") { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let target = arguments.outputAddress(0)
      arguments.parallel(arguments.outputCounts[0], grain: 1 << 16) { range in
        withUnsafeTemporaryAllocation(byteCount: 8 * numbersAtATime, alignment: 8) { numbers in
          guard let numbers = numbers.baseAddress else { return }
          for start in stride(from: range.lowerBound, to: range.upperBound, by: numbersAtATime) {
            let count = min(numbersAtATime, range.upperBound - start)
            read(source + start * sourceBytes, numbers, count)
            write(numbers, target + start * targetBytes, count)
          }
        }
      }
    }
  }
}

/// Numbers that are read before they are written.
private let numbersAtATime = 128

/// Reads `count` elements as numbers, or writes as many numbers as elements.
private typealias CastStep =
  @Sendable (
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
  ) -> Void

extension DataType {
  /// Elements of this type to numbers, of Double when they are real and of Int64 otherwise: with the writers as many loops as
  /// there are types three times over, and not their square.
  fileprivate var castReader: (read: CastStep, isReal: Bool) {
    switch self {
    case .float16: (reader(of: CastFloat16.self), true)
    case .bfloat16: (reader(of: CastBFloat16.self), true)
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
    case .bfloat16: writer(of: CastBFloat16.self, isReal)
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

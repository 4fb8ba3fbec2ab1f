import TensorCore

/// A body that compares elements.
protocol ComparingKernel: Sendable {
  func run<Element: Comparable & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Element.Type
  ) throws(ApusError)
}

extension Lowering {
  /// The element types that a ``ComparingKernel`` can run on.
  static let comparableTypes: [DataType] = [.float32, .int8, .int16, .int32, .int64, .uint8, .bool]

  /// A node that runs `body` on elements of `dataType`, one of ``comparableTypes``.
  init(_ kernel: String, comparing dataType: DataType, _ body: some ComparingKernel) {
    self =
      switch dataType {
      case .float32: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, Float.self) }
      case .int8: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, Int8.self) }
      case .int16: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, Int16.self) }
      case .int32: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, Int32.self) }
      case .int64: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, Int64.self) }
      default: Lowering(kernel) { arguments throws(ApusError) in try body.run(arguments, UInt8.self) }
      }
  }
}

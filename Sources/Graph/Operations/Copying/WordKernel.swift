import TensorCore

/// A body that moves elements without looking at them, so that one serves all types of the same width.
protocol WordKernel: Sendable {
  /// Runs on elements seen as `Word`, an unsigned integer of their width.
  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError)
}

extension Lowering {
  /// A node that runs `body` on elements of `dataType`.
  init(
    _ kernel: String, moving dataType: DataType, scratchByteCount: Int = 0, _ body: some WordKernel
  ) {
    switch dataType.byteCount {
    case 1:
      self.init(kernel, scratchByteCount: scratchByteCount) { arguments throws(ApusError) in
        try body.run(arguments, UInt8.self)
      }
    case 2:
      self.init(kernel, scratchByteCount: scratchByteCount) { arguments throws(ApusError) in
        try body.run(arguments, UInt16.self)
      }
    case 4:
      self.init(kernel, scratchByteCount: scratchByteCount) { arguments throws(ApusError) in
        try body.run(arguments, UInt32.self)
      }
    default:
      self.init(kernel, scratchByteCount: scratchByteCount) { arguments throws(ApusError) in
        try body.run(arguments, UInt64.self)
      }
    }
  }

  /// A node with nothing to do, because its results have no elements.
  static let nothing = Lowering("nothing") { _ in }
}

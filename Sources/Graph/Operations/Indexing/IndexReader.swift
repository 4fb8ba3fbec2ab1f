import TensorCore

/// Reads indices of any integer type that TFLite allows for them.
struct IndexReader {
  static let types: [DataType] = [.int32, .int64, .int16]

  private let base: UnsafeRawPointer?
  private let dataType: DataType
  let count: Int

  /// The elements of operand `index`, which has elements of one of ``types``.
  init(_ arguments: borrowing KernelArguments, _ index: Int, _ dataType: DataType) {
    base = arguments.inputAddress(index)
    count = arguments.input(index, as: UInt8.self).count
    self.dataType = dataType
  }

  subscript(position: Int) -> Int {
    guard let base else { return 0 }
    return switch dataType {
    case .int16: Int(base.load(fromByteOffset: position * 2, as: Int16.self))
    case .int32: Int(base.load(fromByteOffset: position * 4, as: Int32.self))
    default: Int(base.load(fromByteOffset: position * 8, as: Int64.self))
    }
  }

  /// Refuses an index outside 0 ..< `extent`.
  /// - Parameter first: the least index: −`extent` where negative ones count from the end.
  func check(from first: Int = 0, below extent: Int) throws(ApusError) {
    for position in 0..<count where self[position] < first || self[position] >= extent {
      throw Self.error(self[position], extent, from: first)
    }
  }

  static func error(_ index: Int, _ extent: Int, from first: Int = 0) -> ApusError {
    ApusError(.argument, "index \(index)", expected: "\(first) ..< \(extent)")
  }
}

import TensorCore

/// How many of the best classes are wanted.
enum TopK {
  /// - Throws: ``ApusError`` of kind `argument` when it is less than one.
  static func checked(_ count: Int?) throws(ApusError) -> Int? {
    if let count, count < 1 { throw ApusError(.argument, "\(count) as topK", expected: "at least 1") }
    return count
  }
}

import TensorCore

/// The score below which a result is uncertain.
enum Threshold {
  /// - Throws: ``ApusError`` of kind `argument` unless it is a number from 0 to 1.
  static func validate(_ threshold: Float?) throws(ApusError) {
    if let threshold, !(0...1).contains(threshold) {
      throw ApusError(.argument, "the threshold \(threshold)", expected: "a number from 0 to 1")
    }
  }
}

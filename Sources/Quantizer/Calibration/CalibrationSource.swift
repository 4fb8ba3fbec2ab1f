import TensorCore

/// Inputs that stand for those a model will be given.
package protocol CalibrationSource: Sendable {
  /// How many there are.
  var count: Int { get }
  /// What they are, for reports: `120 pictures in flowers`.
  var description: String { get }

  /// What each input can be at most, where that is known without looking at samples.
  var inputRanges: [ValueRange?] { get }

  /// The tensors of all inputs of the model for one run.
  /// - Throws: ``ApusError`` with the file that cannot be used.
  func inputs(_ index: Int) throws(ApusError) -> [Tensor]
}

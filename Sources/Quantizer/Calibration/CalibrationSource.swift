import TensorCore

/// Inputs that stand for those a model will be given.
package protocol CalibrationSource: Sendable {
  /// How many there are.
  var count: Int { get }
  /// The samples, for reports: `120 pictures in flowers`.
  var description: String { get }
  /// Notes for people on files beside the model that were ignored as samples were prepared.
  var notes: [String] { get }

  /// What each input can be at most, where that is known without looking at samples.
  var inputRanges: [ValueRange?] { get }

  /// The tensors of all inputs of the model for one run.
  /// - Throws: ``ApusError`` with the file that cannot be used.
  func inputs(_ index: Int) throws(ApusError) -> [Tensor]
}

extension CalibrationSource {
  /// None, where nothing beside the model says how they are prepared.
  package var notes: [String] { [] }
}

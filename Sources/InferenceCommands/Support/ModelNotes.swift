import Apus
import CommandSupport

extension InferenceModel {
  /// Says on standard error which files beside the model were passed over, and why.
  func reportNotes() {
    for note in notes { StandardStreams.report("apus: \(note)") }
  }
}

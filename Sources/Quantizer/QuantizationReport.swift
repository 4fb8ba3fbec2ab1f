import Models
import TensorCore

/// What became of a model's weights, and what it cost.
package struct QuantizationReport: Sendable {
  /// What became of one tensor.
  package struct Row: Sendable {
    package let name: String
    package let role: String
    package let shape: [Int]
    /// Element types before and after.
    package let from: String
    package let to: String
    package let bytesBefore: Int
    /// With its scales.
    package let bytesAfter: Int
    /// Error of the weights; nil where nothing was changed.
    package let error: SignalToNoise?
    /// Nil where there are no scales.
    package let clipping: Clipping?
    /// Why it has the type it has.
    package let reason: String
  }

  package let input: String
  package let output: String
  package let target: QuantizationTarget
  package internal(set) var rows: [Row] = []
  /// Files taken over as they are, and files that were left out: weights in other forms, the card of the other model,
  /// and beside a `.tflite` file what others of the name stand in the way of.
  package internal(set) var copied: [String] = []
  package internal(set) var leftOut: [String] = []
  /// The file that says what the model was made of; nil where another of that name is there.
  package internal(set) var card: String?
  /// What samples showed; nil when none were given.
  package internal(set) var calibration: CalibrationReport?
  /// Bytes of the files with weights.
  package internal(set) var fileBytesBefore = 0
  package internal(set) var fileBytesAfter = 0

  /// Error of all weights that were changed.
  package var error: SignalToNoise {
    rows.compactMap(\.error).reduce(into: SignalToNoise()) { $0.add($1) }
  }
}

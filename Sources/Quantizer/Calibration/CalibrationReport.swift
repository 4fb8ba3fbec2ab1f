/// What a model's numbers became on the samples it was calibrated with.
package struct CalibrationReport: Sendable {
  /// One way to the ranges that was tried.
  package struct Trial: Sendable {
    package let method: String
    /// Error of the scores: of what a final softmax or logistic function takes, else of the outputs.
    package let scores: SignalToNoise
  }

  /// An activation and its scale.
  package struct Activation: Sendable {
    package let name: String
    /// Of the numbers that were seen.
    package let seen: ValueRange
    package let scale: Float
    package let zeroPoint: Int32
    package let error: SignalToNoise
  }

  package let samples: String
  package internal(set) var trials: [Trial] = []
  /// The method of the trial that was taken.
  package internal(set) var method = ""
  package internal(set) var activations: [Activation] = []
  /// Error of the model's outputs.
  package internal(set) var outputs = SignalToNoise()
  /// Samples with the same greatest output, and samples in all.
  package internal(set) var agreeing = 0
  package internal(set) var count = 0
}

/// What a model's numbers became on the samples it was calibrated with.
package struct CalibrationReport: Sendable {
  /// One way that was tried.
  package struct Trial: Sendable {
    package let method: String
    /// Error of the scores: of what a final softmax or logistic function takes, else of the outputs.
    package let scores: SignalToNoise
    /// The mean cosine of embeddings before and after; nil for other outputs.
    package var cosine: Double?
    /// Samples with the same greatest output; nil for outputs of which none is the answer, and where not counted.
    package var agreeing: Int?
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

  /// A linear layer whose int8 results were compared with those of floats.
  package struct Layer: Sendable {
    package let name: String
    /// By what its inputs were divided, from the least to the greatest; nil when they were not.
    package let factors: ClosedRange<Float>?
    /// Error of its results without the method and with it, with the errors of the layers before it.
    package let before: SignalToNoise
    package let after: SignalToNoise
  }

  package let samples: String
  package internal(set) var trials: [Trial] = []
  /// The method of the trial that was taken.
  package internal(set) var method = ""
  package internal(set) var activations: [Activation] = []
  package internal(set) var layers: [Layer] = []
  /// Error of the model's outputs.
  package internal(set) var outputs = SignalToNoise()
  /// Samples with the same greatest output, and samples in all; zero for a model without classes.
  package internal(set) var agreeing = 0
  package internal(set) var count = 0
}

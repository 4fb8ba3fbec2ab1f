/// The errors of a quantized model on its calibration samples.
public struct CalibrationReport: Sendable {
  /// One way that was tried.
  public struct Trial: Sendable {
    /// The method, in a few words.
    public let method: String
    /// Error of the scores: of what a final softmax or logistic function takes, else of the outputs.
    public let scores: SignalToNoise
    /// The mean cosine of embeddings before and after; nil for other outputs.
    public var cosine: Double?
    /// Samples with the same greatest output; nil for outputs of which none is the answer, and where not counted.
    public var agreeing: Int?
  }

  /// An activation and its scale.
  public struct Activation: Sendable {
    /// The name in the model.
    public let name: String
    /// Of the numbers that were seen.
    public let seen: ValueRange
    /// The step between neighbouring integers.
    public let scale: Float
    /// The integer that stands for 0.
    public let zeroPoint: Int32
    /// Error of the activation with that scale.
    public let error: SignalToNoise
  }

  /// A linear layer whose int8 results were compared with float results.
  public struct Layer: Sendable {
    /// The name in the model.
    public let name: String
    /// By what its inputs were divided, from the least to the greatest; nil when they were not.
    public let factors: ClosedRange<Float>?
    /// Error of its results without the method and with it, with the errors of the layers before it.
    public let before: SignalToNoise
    /// The ratio with the method.
    public let after: SignalToNoise
  }

  /// The calibration samples: `120 pictures in flowers`.
  public let samples: String
  /// Notes for people on files beside the model that were ignored as samples were prepared.
  public internal(set) var notes: [String] = []
  /// The ways that were tried.
  public internal(set) var trials: [Trial] = []
  /// The method of the trial that was taken.
  public internal(set) var method = ""
  /// Of a `.tflite` file, its activations.
  public internal(set) var activations: [Activation] = []
  /// Of a folder, its linear layers.
  public internal(set) var layers: [Layer] = []
  /// Error of the model's outputs.
  public internal(set) var outputs = SignalToNoise()
  /// Samples with the same greatest output, and samples in all; zero for a model without classes.
  public internal(set) var agreeing = 0
  /// Samples in all; 0 for a model without classes.
  public internal(set) var count = 0
}

import Models
import TensorCore

/// What became of a model's weights, and what it cost.
public struct QuantizationReport: Sendable {
  /// What became of one tensor.
  public struct Row: Sendable {
    /// The name in the model.
    public let name: String
    /// What it is for: an operator, or a kind of layer.
    public let role: String
    /// The extent of each axis.
    public let shape: [Int]
    /// The element type before.
    public let from: String
    /// The element type after.
    public let to: String
    /// Bytes of the elements before.
    public let bytesBefore: Int
    /// With its scales.
    public let bytesAfter: Int
    /// Error of the weights; nil where nothing was changed.
    public let error: SignalToNoise?
    /// Nil where there are no scales.
    public let clipping: Clipping?
    /// Why it has the type it has.
    public let reason: String
    /// Of weights of a folder that stayed in floats: the bytes that they would take in the integers that were asked for. Nil
    /// of others, and of biases and norms.
    public internal(set) var integerBytes: Int? = nil
  }

  /// The model that was read.
  public let input: String
  /// The model that was written.
  public let output: String
  /// The form in which weights were to be stored.
  public let target: QuantizationTarget
  /// Columns that have a scale in common in int4; nil of others.
  public internal(set) var groupSize: Int?
  /// What became of each tensor.
  public internal(set) var rows: [Row] = []
  /// Files taken over as they are.
  public internal(set) var copied: [String] = []
  /// The configuration file that was taken over with the form of the weights added, for transformers and
  /// compressed-tensors; nil where it was taken over as it is, or there is none.
  public internal(set) var configuration: String?
  /// Whether a model folder was given integers of which its `config.json` says nothing to compressed-tensors: other
  /// libraries than Apus take them as they are, without their scales.
  public internal(set) var hasUnstatedIntegers = false
  /// Files that were left out: weights in other forms, the card of the other model, and beside a `.tflite` file what
  /// others of the name stand in the way of.
  public internal(set) var leftOut: [String] = []
  /// The file that says what the model was made of; nil where another of that name is there.
  public internal(set) var card: String?
  /// What samples showed; nil when none were given.
  public internal(set) var calibration: CalibrationReport?
  /// In which type a `.tflite` file of int8 weights computes; nil of others.
  public internal(set) var activations: ActivationType?
  /// The search for layers to keep; nil when there was none.
  public internal(set) var mixture: MixtureReport?
  /// Bytes of the files with weights that were read.
  public internal(set) var fileBytesBefore = 0
  /// Bytes of the files with weights that were written.
  public internal(set) var fileBytesAfter = 0

  /// Which files beside the model were passed over as samples were prepared and mixtures compared, and why, each for
  /// people to read.
  public var notes: [String] {
    let known = mixture?.notes ?? []
    return known + (calibration?.notes ?? []).filter { !known.contains($0) }
  }

  /// The reason of what was to be kept.
  static let keptReason = "kept in floats as asked"

  /// Error of all weights that were changed.
  public var error: SignalToNoise {
    rows.compactMap(\.error).reduce(into: SignalToNoise()) { $0.add($1) }
  }
}

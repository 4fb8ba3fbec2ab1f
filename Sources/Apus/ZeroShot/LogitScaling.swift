import Formats
import Networks
import TensorCore

/// How cosines become the logits of labels, and what these are divided by before they become scores.
struct LogitScaling: Sendable {
  /// What cosines are multiplied by.
  let scale: Float
  /// What is added then.
  let bias: Float
  /// What logits are divided by.
  let temperature: Float

  /// - Parameters:
  ///   - kind: of the error for numbers that no logit comes from.
  ///   - file: what says them; nil for a caller.
  /// - Throws: ``ApusError`` of that kind for a number that is not finite, or logits that no float holds.
  init(
    scale: Float, bias: Float, temperature: Float = 1, refusedAs kind: ApusError.Kind = .argument,
    file: String? = nil
  ) throws(ApusError) {
    // A cosine of two rounded vectors is a little above 1 at most.
    guard abs(scale) + abs(bias) <= Float.greatestFiniteMagnitude / 2 else {
      throw ApusError(
        kind, "the logit scale \(scale) with the logit bias \(bias)",
        expected: "finite numbers whose sum is in the range of floats", file: file)
    }
    (self.scale, self.bias, self.temperature) = (scale, bias, temperature)
  }

  /// That of a classifier. The temperature was fitted to the model's own scale, and is set aside where a caller names another;
  /// where the model has none, the one that is named is its own.
  /// - Parameters:
  ///   - towers: with the model's own numbers.
  ///   - metadata: what the model's `meta.json` says; nil where none counts.
  ///   - model: the folder, for errors.
  init(
    _ options: ZeroShotClassifier.Options, _ towers: TwoTowers, _ metadata: ClassifierMetadata?, model: String
  ) throws(ApusError) {
    let own = towers.comparison
    let isNamed = options.logitScale != nil || options.logitBias != nil
    try self.init(
      scale: options.logitScale ?? own.logitScale, bias: options.logitBias ?? own.logitBias,
      temperature: Self.replacesScale(options, towers) ? 1 : metadata?.temperature ?? 1,
      refusedAs: isNamed ? .argument : .malformedModel, file: isNamed ? nil : model)
  }

  /// The same as one call asks for it: a scale that it names counts without the temperature.
  func replaced(by reading: ZeroShotReading) throws(ApusError) -> LogitScaling {
    try LogitScaling(
      scale: reading.logitScale ?? scale, bias: reading.logitBias ?? bias,
      temperature: reading.logitScale == nil ? temperature : 1)
  }

  /// What people should know of a temperature that is set aside; nil where none is.
  static func note(
    _ options: ZeroShotClassifier.Options, _ towers: TwoTowers, _ metadata: ClassifierMetadata?
  ) -> String? {
    guard replacesScale(options, towers), let temperature = metadata?.temperature, temperature != 1 else {
      return nil
    }
    let note = """
      the temperature \(temperature) in meta.json is for the model's own logit scale: set aside, as another scale is named
      """
    guard options.threshold == nil, let threshold = metadata?.threshold else { return note }
    return "\(note); its threshold_default \(threshold) counts all the same, unless a threshold is named"
  }

  private static func replacesScale(_ options: ZeroShotClassifier.Options, _ towers: TwoTowers) -> Bool {
    options.logitScale != nil && towers.hasOwnScale
  }
}

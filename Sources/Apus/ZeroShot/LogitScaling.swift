import Formats
import Networks
import TensorCore

/// How cosines become the logits of labels, and what these are divided by before they become scores.
struct LogitScaling: Sendable {
  /// A temperature, and the scale of the logits it was fitted to, the only logits it is valid for.
  struct Fit: Sendable {
    let temperature: Float
    let scale: Float

    /// Whether a scale is the one that it was fitted to, as people write it: e to a learned number is rounded otherwise by
    /// every library, and shown with six digits.
    func holds(for other: Float) -> Bool { abs(other - scale) <= abs(scale) * 1e-5 }
  }

  /// The factor for cosines.
  let scale: Float
  /// The bias added to scaled cosines.
  let bias: Float
  /// The fitted temperature of the model's files; nil if there is none.
  let fit: Fit?

  /// - Parameters:
  ///   - kind: of the error for numbers that no logit comes from.
  ///   - file: what says them; nil for a caller.
  /// - Throws: ``ApusError`` of that kind for a number that is not finite, or logits that no float holds.
  init(
    scale: Float, bias: Float, fit: Fit? = nil, refusedAs kind: ApusError.Kind = .argument,
    file: String? = nil
  ) throws(ApusError) {
    // A cosine of two rounded vectors is a little above 1 at most.
    guard abs(scale) + abs(bias) <= Float.greatestFiniteMagnitude / 2 else {
      throw ApusError(
        kind, "the logit scale \(scale) with the logit bias \(bias)",
        expected: "finite numbers whose sum is in the range of floats", file: file)
    }
    (self.scale, self.bias, self.fit) = (scale, bias, fit)
  }

  /// That of a classifier. The temperature was fitted to the model's own scale; where the model has none, the one that is
  /// named is its own.
  /// - Parameters:
  ///   - towers: with the model's own numbers.
  ///   - metadata: what the model's `meta.json` says; nil where none counts.
  ///   - model: the folder, for errors.
  init(
    _ options: ZeroShotClassifier.Options, _ towers: TwoTowers, _ metadata: ClassifierMetadata?, model: String
  ) throws(ApusError) {
    let own = towers.comparison
    let reading = options.reading
    let (scale, bias) = reading.numbers(over: (own.scale, own.bias))
    let isNamed = reading.namesNumbers
    try self.init(
      scale: scale, bias: bias,
      fit: metadata?.temperature.map { Fit(temperature: $0, scale: towers.ownScale ?? scale) },
      refusedAs: isNamed ? .argument : .malformedModel, file: isNamed ? nil : model)
  }

  /// The divisor of logits: 1 if nothing was fitted, or it was fitted at another scale.
  var temperature: Float {
    guard let fit, fit.holds(for: scale) else { return 1 }
    return fit.temperature
  }

  /// The scaling for one call.
  func replaced(by reading: ZeroShotReading) throws(ApusError) -> LogitScaling {
    let numbers = reading.numbers(over: (scale, bias))
    return try LogitScaling(scale: numbers.scale, bias: numbers.bias, fit: fit)
  }

  /// A note about a temperature that does not apply; nil if all apply.
  func note(_ options: ZeroShotClassifier.Options, _ metadata: ClassifierMetadata?) -> String? {
    guard let fit, fit.temperature != 1, !fit.holds(for: scale) else { return nil }
    let note = """
      the temperature \(fit.temperature) in meta.json is for the model's own logit scale: set aside, as another scale is named
      """
    guard options.threshold == nil, let threshold = metadata?.threshold else { return note }
    return "\(note); its threshold_default \(threshold) counts all the same, unless a threshold is named"
  }
}

import TensorCore

/// How labels are embedded and cosines become scores, where a call asks for another way than its classifier's.
public struct ZeroShotReading: Sendable, Hashable {
  /// How logits are read; nil as the classifier reads them.
  public var scoring: ZeroShotScoring?
  /// The number by which cosines are multiplied, finite; nil for the classifier's. In the place of the model's own one it
  /// counts without the temperature that was fitted to that; as the model's own it changes nothing.
  public var logitScale: Float?
  /// What is added to the products, finite; nil for the classifier's.
  public var logitBias: Float?
  /// Whether labels are embedded with padding masked, as ``ZeroShotClassifier/Options/masksPadding`` says it; nil for as the
  /// classifier was opened. Labels that were embedded before take no choice.
  public var masksPadding: Bool?

  /// What is not given is the classifier's own.
  public init(
    scoring: ZeroShotScoring? = nil, logitScale: Float? = nil, logitBias: Float? = nil,
    masksPadding: Bool? = nil
  ) {
    (self.scoring, self.logitScale, self.logitBias) = (scoring, logitScale, logitBias)
    self.masksPadding = masksPadding
  }

  /// - Throws: ``ApusError`` of kind `argument`.
  func validate() throws(ApusError) {
    for (name, number) in [("scale", logitScale), ("bias", logitBias)] {
      if let number, !number.isFinite {
        throw ApusError(.argument, "the logit \(name) \(number)", expected: "a finite number")
      }
    }
  }
}

extension ZeroShotReading: JSONOptions {
  /// The classifier's own.
  public static var standard: ZeroShotReading { ZeroShotReading() }

  /// `score`, `logit_scale`, `logit_bias` and `mask_padding`.
  public static var settings: Settings<ZeroShotReading> {
    .setting(.scoring, \.scoring, .choice) + .setting(.logitScale, \.logitScale, .number)
      + .setting(.logitBias, \.logitBias, .number) + .setting(.masksPadding, \.masksPadding, .flag)
  }
}

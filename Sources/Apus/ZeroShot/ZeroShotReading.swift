import Networks
import TensorCore

/// How labels are embedded and cosines become scores, where a call asks for another way than its classifier's.
public struct ZeroShotReading: Sendable, Hashable {
  /// How logits are read; nil as the classifier reads them.
  public var scoring: ZeroShotScoring?
  /// The number by which cosines are multiplied, finite; nil for the classifier's. In the place of the model's own one it
  /// counts without the temperature that was fitted to that; as the model's own it changes nothing.
  public var logitScale: Float?
  /// The bias added to the scaled cosines, finite; nil for the classifier's.
  public var logitBias: Float?
  /// Whether labels are embedded with padding masked, as ``ZeroShotClassifier/Options/masksPadding`` says it; nil for as the
  /// classifier was opened. Labels that were embedded before take no choice.
  public var masksPadding: Bool?

  /// Omitted arguments default to the classifier's own.
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

extension ZeroShotReading {
  /// A copy in which values that are nil are taken from another.
  public func over(_ other: ZeroShotReading) -> ZeroShotReading {
    ZeroShotReading(
      scoring: scoring ?? other.scoring, logitScale: logitScale ?? other.logitScale,
      logitBias: logitBias ?? other.logitBias, masksPadding: masksPadding ?? other.masksPadding)
  }

  /// Whether it says what cosines are multiplied by.
  public var namesScale: Bool { logitScale != nil }

  /// Whether it says what cosines are multiplied by, or what is added then.
  public var namesNumbers: Bool { logitScale != nil || logitBias != nil }

  /// - Parameter own: what cosines are multiplied by where it says nothing, and what is added then.
  func numbers(over own: (scale: Float, bias: Float)) -> (scale: Float, bias: Float) {
    (scale: logitScale ?? own.scale, bias: logitBias ?? own.bias)
  }

  /// The networks of a model whose towers are in two folders.
  /// - Throws: ``ApusError`` for folders that do not belong together, or without a scale and bias for comparisons.
  func towers(_ pictures: OpenedModel, _ texts: OpenedModel) throws(ApusError) -> TwoTowers {
    try pictures.dualEncoder(with: texts, scale: logitScale, bias: logitBias)
  }

  /// How the logits of a tower for texts alone are read, which has no numbers of its own.
  /// - Throws: ``ApusError`` of kind `argument` where it does not say what cosines are multiplied by.
  func alone() throws(ApusError) -> (scoring: ZeroShotScoring, scaling: LogitScaling) {
    guard let logitScale else {
      throw ApusError(
        .argument, "the scale of the cosines is not known", expected: "\(Setting.logitScale)")
    }
    return (scoring ?? .softmax, try LogitScaling(scale: logitScale, bias: logitBias ?? 0))
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

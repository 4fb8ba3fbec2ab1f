/// One intermediate result of two models, or an input.
public struct LayerRow: Sendable, Hashable {
  /// The position in the baseline's run order, from 0; −1 for inputs.
  public var position: Int
  /// What the layer does, as operations are called: `conv2D`; `input` for an input.
  public var kind: String
  /// The labels of the nodes that make it, as errors and `inspect` name them.
  public var baselineLabel: String
  /// The same of the other model.
  public var otherLabel: String
  /// The element types that the two are stored in.
  public var baselineType: String
  /// The same of the other model.
  public var otherType: String
  /// The extents of the baseline's result.
  public var shape: [Int]
  /// As the results differ in the run: what the layer inherits and what it introduces.
  public var difference: ValueDifference
  /// What the layer introduces: the other model's layer is given the baseline's numbers. Nil for inputs, and for
  /// layers that cannot be run alone.
  public var introduced: ValueDifference?
  /// The share of the baseline's numbers that are too great or too small for the other's scale and zero point.
  public var outOfRange: Double
  /// How far the weights are from the baseline's, as real numbers; nil when there are none, or they are the same.
  public var weights: ValueDifference?

  package init(
    position: Int, kind: String, baselineLabel: String, otherLabel: String, baselineType: String,
    otherType: String, shape: [Int], difference: ValueDifference, introduced: ValueDifference? = nil,
    outOfRange: Double = 0, weights: ValueDifference? = nil
  ) {
    self.position = position
    self.kind = kind
    self.baselineLabel = baselineLabel
    self.otherLabel = otherLabel
    self.baselineType = baselineType
    self.otherType = otherType
    self.shape = shape
    self.difference = difference
    self.introduced = introduced
    self.outOfRange = outOfRange
    self.weights = weights
  }

  /// Whether it is an input, and no layer's result.
  public var isInput: Bool { position < 0 }
  /// The baseline's power over that of the difference, in dB; infinite when there is no difference.
  public var signalToNoise: Double { difference.signalToNoise }
  /// The cosine of the angle between the two results, taken as vectors.
  public var cosine: Double { difference.cosine }
  /// The greatest absolute difference.
  public var greatestError: Double { difference.greatestError }
  /// The mean absolute difference.
  public var meanError: Double { difference.meanError }

  /// What the worst come first by: dB of the error that the layer introduces, where it could be found out.
  var rank: Double {
    let own = introduced ?? difference
    return own.notFinite > 0 ? -.infinity : own.signalToNoise
  }

  /// What comes first of those that introduce the same: 0 for what inherits numbers that are not finite.
  var inheritedRank: Int { difference.notFinite > 0 ? 0 : 1 }
}

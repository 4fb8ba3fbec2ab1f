/// A usual cause of bad figures, found in one of the models or in the way it is used.
public struct Culprit: Sendable, Hashable {
  /// What kind of cause it is.
  public var kind: Kind
  /// The position in ``ComparisonReport/models``; nil when it is about the data.
  public var model: Int?
  /// How sure it is.
  public var certainty: Certainty
  /// What is wrong, in a sentence for people.
  public var statement: String
  /// What to do about it, in a sentence.
  public var advice: String
  /// The numbers that it was concluded from.
  public var evidence: [Evidence]
  /// The share of answers that are as they should be once the cause is gone; nil where that was not tried.
  public var remedied: Double?

  /// A kind of cause.
  public enum Kind: String, Sendable, CaseIterable {
    /// Every class has the name of a neighbour.
    case labelOffset
    /// Classes have the names of others in no fixed distance.
    case permutedLabels
    /// Names do not say which class of one model is which of the other.
    case classNames
    /// Pictures are brought to another range of numbers than the model was trained with.
    case normalization
    /// Red and blue are exchanged.
    case channelOrder
    /// Pictures lie on their side, or are mirrored.
    case orientation
    /// Pictures are resized or cropped in another way than the model was trained with.
    case geometry
    /// Pictures are prepared in another way than the other model's, which is the better one.
    case preparation
    /// Texts become other tokens than those of the other model, which are the better ones.
    case tokenizer
    /// The configuration says otherwise of the same network.
    case configuration
    /// Stored numbers are not those of the baseline: zero, scaled, or in each other's place.
    case weights
    /// Softmax is applied to what are probabilities already.
    case softmaxTwice
    /// What are taken for probabilities are logits.
    case softmaxMissing
    /// The same class for nearly every sample.
    case constantAnswer
    /// NaN or infinity among the outputs.
    case notFinite
    /// Outputs at the end of their integer range.
    case saturated
    /// Operators whose results leave the baseline's far behind.
    case layer
  }

  /// How sure a cause is.
  public enum Certainty: String, Sendable, CaseIterable {
    /// Beyond chance, by a test that is named in the evidence.
    case found
    /// The signs are there; they may have another reason.
    case suspected
  }

  /// A number and what it is.
  public struct Evidence: Sendable, Hashable {
    /// What the number is.
    public var name: String
    /// The number.
    public var value: Double

    package init(name: String, value: Double) {
      self.name = name
      self.value = value
    }
  }

  package init(
    kind: Kind, model: Int?, certainty: Certainty, statement: String, advice: String, evidence: [Evidence],
    remedied: Double? = nil
  ) {
    self.remedied = remedied
    self.kind = kind
    self.model = model
    self.certainty = certainty
    self.statement = statement
    self.advice = advice
    self.evidence = evidence
  }
}

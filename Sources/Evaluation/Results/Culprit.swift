/// A usual cause of bad figures, found in one of the models or in the way it is used.
package struct Culprit: Sendable, Hashable {
  package var kind: Kind
  /// The position in ``ComparisonReport/models``; nil when it is about the data.
  package var model: Int?
  package var certainty: Certainty
  /// What is wrong, in a sentence for people.
  package var statement: String
  /// What to do about it, in a sentence.
  package var advice: String
  /// The numbers that it was concluded from.
  package var evidence: [Evidence]
  /// The share of answers that are as they should be once the cause is gone; nil where that was not tried.
  package var remedied: Double?

  package enum Kind: String, Sendable, CaseIterable {
    /// Every class has the name of a neighbour.
    case labelOffset
    /// Classes have the names of others in no fixed distance.
    case permutedLabels
    /// Pictures are brought to another range of numbers than the model was trained with.
    case normalization
    /// Red and blue are exchanged.
    case channelOrder
    /// Pictures lie on their side, or are mirrored.
    case orientation
    /// Pictures are resized or cropped in another way than the model was trained with.
    case geometry
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

  package enum Certainty: String, Sendable, CaseIterable {
    /// Beyond chance, by a test that is named in the evidence.
    case found
    /// The signs are there; they may have another reason.
    case suspected
  }

  /// A number and what it is.
  package struct Evidence: Sendable, Hashable {
    package var name: String
    package var value: Double

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

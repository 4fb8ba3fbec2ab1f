import Formats
import Graph
import TensorCore

/// What the classifiers of ModernBERT have before their last layer: a linear layer and a normalisation, as the model had
/// them where it was trained to guess hidden tokens.
struct ModernBERTClassifier: Sendable {
  enum Pooling: String, Sendable { case cls, mean }

  /// Whether the features of the first token stand for a text, or the mean of all tokens'.
  let pooling: Pooling
  let activation: LinearActivation
  /// Whether the linear layer has offsets.
  let hasBias: Bool

  init(_ reader: ConfigurationReader) throws(ApusError) {
    pooling = try reader.choice("classifier_pooling", ["cls": .cls, "mean": .mean], default: .cls)
    activation = try reader.activation("classifier_activation", default: .gelu(.exact))
    hasBias = try reader.bool("classifier_bias", default: false)
  }

  /// Those keys, of a model without classes.
  static let keys = KeysWithoutEffect(
    "the layers before classes, which the model has none of",
    ["classifier_pooling", "classifier_activation", "classifier_bias"])
}

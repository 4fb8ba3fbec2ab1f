/// A part of opening a model.
public enum LoadStage: String, Sendable, Hashable, Codable, CaseIterable {
  /// Finding the model, reading its configuration, mapping its weights.
  case open
  /// Reading the tokenizer's vocabulary.
  case tokenizer
  /// Building the network for texts and packing its weights, or finding them packed already.
  case text
  /// Building the network for pictures and packing its weights, or finding them packed already.
  case image
  /// Building the network of a session and packing its weights, or finding them packed already.
  case network
  /// Embedding the labels that a zero-shot classifier was given.
  case labels
}

/// How far a model is that is being opened.
public struct LoadProgress: Sendable, Hashable {
  /// The stage that begins; nil when the model is ready.
  public let stage: LoadStage?
  /// The stages that are done, of those that this model has: from 0 to 1.
  public let fractionCompleted: Double

  package init(stage: LoadStage?, fractionCompleted: Double) {
    self.stage = stage
    self.fractionCompleted = fractionCompleted
  }
}

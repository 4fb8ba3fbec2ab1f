/// A part of opening a model.
public enum LoadStage: String, Sendable, Hashable, Codable, CaseIterable {
  /// Finding the model, reading its configuration, mapping its weights.
  case open
  /// Reading the tokenizer's vocabulary.
  case tokenizer
  /// Building the network for texts and packing its weights, or finding them packed already.
  case text
  /// The same for pictures.
  case image
  /// The same for whatever network a session runs.
  case network
  /// Embedding the labels that a zero-shot classifier was given.
  case labels
}

/// How far a model is that is being opened.
public struct LoadProgress: Sendable, Hashable {
  /// What begins now; nil when the model is ready.
  public let stage: LoadStage?
  /// The stages that are done, of those that this model has: from 0 to 1.
  public let fractionCompleted: Double

  package init(stage: LoadStage?, fractionCompleted: Double) {
    self.stage = stage
    self.fractionCompleted = fractionCompleted
  }
}

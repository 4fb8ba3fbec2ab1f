import Apus

/// A part of an inference whose time is recorded by itself.
public enum InferenceStage: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// Reading and decoding a picture's file.
  case decode
  /// Making tokens of a text, or of labels that were not met before.
  case tokenize
  /// From the decoded picture to the model's input, and embedding labels that were not met before.
  case prepare
  /// Running the model.
  case run
  /// Turning outputs into scores and labels.
  case rank
  /// The whole of it, which targets are about.
  case total

  /// Its place among all.
  @inline(__always)
  var index: Int {
    switch self {
    case .decode: 0
    case .tokenize: 1
    case .prepare: 2
    case .run: 3
    case .rank: 4
    case .total: 5
    }
  }
}

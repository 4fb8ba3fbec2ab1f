import Apus

/// A part of an inference whose time is recorded by itself.
public enum InferenceStage: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// Reading and decoding a picture's file.
  case decode
  /// From the decoded picture, or the text, to the model's input.
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
    case .prepare: 1
    case .run: 2
    case .rank: 3
    case .total: 4
    }
  }
}

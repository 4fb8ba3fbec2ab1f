/// The time that each stage of a result took, in milliseconds. Inputs that ran together share their time evenly.
public struct StageMilliseconds: Sendable, Hashable, Codable {
  /// Reading and decoding a picture's file.
  public let decode: Double
  /// Making tokens of a text, or of labels that were not met before. It is 0 for tokens that were made by themselves, where
  /// who made them may say what that took.
  public var tokenize: Double
  /// From the decoded picture to the model's input.
  public let preprocess: Double
  /// Running the model.
  public let run: Double
  /// Turning outputs into scores and labels.
  public let rank: Double
  /// Embedding labels that were not met before, for a zero-shot classifier: what follows their tokens.
  public let labels: Double

  init(
    decode: Double = 0, tokenize: Double = 0, preprocess: Double = 0, run: Double, rank: Double,
    labels: Double = 0
  ) {
    self.decode = decode
    self.tokenize = tokenize
    self.preprocess = preprocess
    self.run = run
    self.rank = rank
    self.labels = labels
  }

  /// All stages together.
  public var total: Double { decode + tokenize + preprocess + run + rank + labels }
}

extension StageMilliseconds {
  /// Text of a version that did not tell making tokens from what was around it has no `tokenize`.
  public init(from decoder: any Decoder) throws {
    let stages = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      decode: try stages.decode(Double.self, forKey: .decode),
      tokenize: try stages.decodeIfPresent(Double.self, forKey: .tokenize) ?? 0,
      preprocess: try stages.decode(Double.self, forKey: .preprocess),
      run: try stages.decode(Double.self, forKey: .run),
      rank: try stages.decode(Double.self, forKey: .rank),
      labels: try stages.decode(Double.self, forKey: .labels))
  }
}

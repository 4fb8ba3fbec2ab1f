/// The time that each stage of a result took. Inputs that ran together share their time evenly.
public struct StageTimes: Sendable, Hashable {
  /// Reading and decoding a picture's file.
  public let decode: Duration
  /// Making tokens of a text, or of labels that were not met before. It is 0 for tokens that were made by themselves, where
  /// who made them may say what that took.
  public var tokenize: Duration
  /// From the decoded picture to the model's input.
  public let preprocess: Duration
  /// Running the model.
  public let run: Duration
  /// Turning outputs into scores and labels.
  public let rank: Duration
  /// Embedding labels that were not met before, for a zero-shot classifier: what follows their tokens.
  public let labels: Duration

  /// All in milliseconds.
  init(
    decode: Double = 0, tokenize: Double = 0, preprocess: Double = 0, run: Double, rank: Double,
    labels: Double = 0
  ) {
    self.decode = Duration(milliseconds: decode)
    self.tokenize = Duration(milliseconds: tokenize)
    self.preprocess = Duration(milliseconds: preprocess)
    self.run = Duration(milliseconds: run)
    self.rank = Duration(milliseconds: rank)
    self.labels = Duration(milliseconds: labels)
  }

  /// All stages together.
  public var total: Duration { decode + tokenize + preprocess + run + rank + labels }
}

/// Numbers of milliseconds.
extension StageTimes: Codable {
  private enum CodingKeys: String, CodingKey { case decode, tokenize, preprocess, run, rank, labels }

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

  /// Writes a number of milliseconds for each stage.
  public func encode(to encoder: any Encoder) throws {
    var stages = encoder.container(keyedBy: CodingKeys.self)
    for (key, time) in [
      (CodingKeys.decode, decode), (.tokenize, tokenize), (.preprocess, preprocess), (.run, run),
      (.rank, rank),
      (.labels, labels),
    ] { try stages.encode(time.milliseconds, forKey: key) }
  }
}

/// A text's vector, and what was read for it.
public struct TextEmbedding: Sendable, Hashable {
  /// The vector.
  public let values: [Float]
  /// The tokens that were read, special ones included.
  public let tokenCount: Int
  /// Whether the text was longer than the model takes, and was cut.
  public let wasTruncated: Bool
}

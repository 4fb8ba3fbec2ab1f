import TensorCore

/// A text or picture as a vector.
public struct Embedding: Sendable, Hashable, Codable {
  /// The vector, as long as the model's embeddings are wide.
  public let values: [Float]
  /// Whether the text was longer than the model takes, and was cut.
  public let wasTruncated: Bool
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is, and for texts.
  public let damage: String?

  /// A vector that was computed elsewhere, or stored.
  public init(_ values: [Float], wasTruncated: Bool = false, damage: String? = nil) {
    self.values = values
    self.wasTruncated = wasTruncated
    self.damage = damage
  }

  /// The cosine of the angle between two embeddings of one model: 1 for the same direction, 0 for nothing in
  /// common; 0 also when one of them is zero, or not as wide as the other.
  public func cosine(_ other: Embedding) -> Float {
    guard values.count == other.values.count else { return 0 }
    let squares = Vectors.dot(values, values) * Vectors.dot(other.values, other.values)
    return squares > 0 ? Float(Vectors.dot(values, other.values) / squares.squareRoot()) : 0
  }
}

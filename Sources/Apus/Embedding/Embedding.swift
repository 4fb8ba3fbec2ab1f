import TensorCore

/// A text or picture as a vector.
public struct Embedding: Sendable, Hashable {
  /// The vector, as long as the model's embeddings are wide.
  public let values: [Float]
  /// Whether the text was longer than the model takes, and was cut.
  public let wasTruncated: Bool
  /// What is wrong with the picture's file, a part of whose pixels may be guessed; nil when nothing is, and for texts.
  public let damage: String?

  init(values: [Float], wasTruncated: Bool, damage: String? = nil) {
    self.values = values
    self.wasTruncated = wasTruncated
    self.damage = damage
  }

  /// The cosine of the angle between two embeddings of one model: 1 for the same direction, 0 for nothing in
  /// common; 0 also when one of them is zero.
  public func cosine(_ other: Embedding) -> Float {
    let squares = Vectors.dot(values, values) * Vectors.dot(other.values, other.values)
    return squares > 0 ? Float(Vectors.dot(values, other.values) / squares.squareRoot()) : 0
  }
}

/// What is done with the length of embeddings.
public enum EmbeddingLength: String, Sendable, Hashable, CaseIterable {
  /// What the model is used with: 1 where its folder says so (a `Normalize` module of sentence-transformers),
  /// and for CLIP and SigLIP, which compare directions; else as computed.
  case model
  /// Brought to 1, so that the dot product of two is their cosine.
  case unit
  /// As computed.
  case raw

  /// - Parameter normalizes: what ``model`` comes to.
  /// - Throws: ``ApusError`` of kind `malformedModel` when the output holds NaN or infinity.
  func apply(
    _ output: [Float], normalizes: Bool, of what: String, model: String
  ) throws(ApusError) -> [Float] {
    let values = try Vectors.finite(output, of: what, model: model)
    switch self {
    case .model: return normalizes ? Vectors.unit(values) : values
    case .unit: return Vectors.unit(values)
    case .raw: return values
    }
  }
}

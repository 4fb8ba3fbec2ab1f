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

  /// The same direction at length 1; a vector of zeros stays as it is.
  public var unit: Embedding {
    Embedding(Vectors.unit(values), wasTruncated: wasTruncated, damage: damage)
  }

  /// Its first numbers alone, as models allow that were trained for it (Matryoshka: Kusupati et al. 2022): all of them where
  /// there are no more. They are not brought to length 1, as ``unit`` does.
  /// - Parameter dimensions: how many; none for fewer than 1.
  public func prefix(_ dimensions: Int) -> Embedding {
    Embedding(Array(values.prefix(max(0, dimensions))), wasTruncated: wasTruncated, damage: damage)
  }

  /// The cosine of the angle between two embeddings of one model: 1 for the same direction, 0 for nothing in
  /// common; 0 also when one of them is zero, or not as wide as the other.
  public func cosine(_ other: Embedding) -> Float {
    cosine(other, lengths: Vectors.length(values) * Vectors.length(other.values))
  }

  /// - Parameter lengths: the product of both lengths.
  func cosine(_ other: Embedding, lengths: Double) -> Float {
    guard values.count == other.values.count, lengths > 0 else { return 0 }
    return Float(Vectors.dot(values, other.values) / lengths)
  }
}

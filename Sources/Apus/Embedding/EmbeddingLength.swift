import TensorCore

/// How embeddings are normalised.
public enum EmbeddingLength: String, Sendable, Hashable, Codable, CaseIterable {
  /// As the model is commonly used: with sentence-transformers modules, 1 if `Normalize` is one of them; without modules, 1
  /// for CLIP and SigLIP, which compare directions; otherwise as computed, as with DINOv2.
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

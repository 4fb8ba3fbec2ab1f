/// What a model can be asked to do.
public enum ModelTask: String, Sendable, CaseIterable, Codable {
  /// Scores of a picture's classes.
  case imageClassification = "image-classification"
  /// Scores of labels that the client names, for a picture.
  case zeroShot = "zero-shot-image-classification"
  /// Scores of a text's classes.
  case textClassification = "text-classification"
  /// A vector for a text.
  case textEmbedding = "text-embedding"
  /// A vector for a picture.
  case imageEmbedding = "image-embedding"
  /// Named tensors to named tensors: what every model does.
  case tensors

  /// Their names, as people read them.
  public static func list(_ tasks: Set<ModelTask>) -> String {
    allCases.filter(tasks.contains).map(\.rawValue).joined(separator: ", ")
  }
}

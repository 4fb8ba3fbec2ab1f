import Apus
import ApusServing

extension ServedModel {
  /// Vectors in the shape that is wanted. Dialects here answer for a request as a whole: the first text that failed is what
  /// they answer with.
  func vectors(
    of texts: [TextInput], truncates: Bool, cutting side: TextSide? = nil, limit: TokenLimit? = nil,
    _ shape: VectorShape
  ) async throws(ServingError) -> [(vector: [Float], tokens: Int)] {
    var vectors: [(vector: [Float], tokens: Int)] = []
    for embedding in try await embed(
      texts, truncates: truncates, cutting: side, limit: limit, length: shape.length,
      dimensions: shape.dimensions, masksPadding: shape.masksPadding
    ).all() {
      vectors.append((shape.apply(embedding.values), embedding.tokenCount))
    }
    return vectors
  }
}

extension [Result<TextClassification, ServingError>] {
  /// Labels and scores of each text.
  func scores() throws(ServingError) -> [JSONText] {
    try all().map { JSONText.scores($0.predictions.map { ($0.label, $0.score) }) }
  }

  /// Labels of each text and what the model gave for them before it became scores, the highest first.
  func logits() throws(ServingError) -> [JSONText] {
    try all().map { result in
      let logits = result.predictions.map { ($0.label, result.outputs[$0.index]) }
      return JSONText.scores(logits.sorted { $0.1 > $1.1 })
    }
  }
}

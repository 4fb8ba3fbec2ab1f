import Apus
import ApusServing

extension ServedModel {
  /// Vectors in the shape that is wanted. Dialects here answer for a request as a whole: the first text that failed is what
  /// they answer with.
  func vectors(
    of texts: [TextInput], truncates: Bool, _ shape: VectorShape
  ) async throws(ServingError) -> [(vector: [Float], tokens: Int)] {
    var vectors: [(vector: [Float], tokens: Int)] = []
    for embedding in try await embed(texts, truncates: truncates, length: shape.length).all() {
      vectors.append((try shape.apply(embedding.values), embedding.tokenCount))
    }
    return vectors
  }
}

extension [Result<TextClassification, ServingError>] {
  /// Labels and scores of each text.
  func scores() throws(ServingError) -> [JSONText] {
    try all().map { JSONText.scores($0.predictions.map { ($0.label, $0.score) }) }
  }
}

extension Array {
  /// What there is for each item of a request.
  /// - Throws: the error of the first that failed, with its place where there were several.
  func all<Value>() throws(ServingError) -> [Value] where Element == Result<Value, ServingError> {
    var values: [Value] = []
    values.reserveCapacity(count)
    for (index, result) in enumerated() {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        throw count == 1 ? error : ServingError(error.kind, "Input \(index): \(error.message)")
      }
    }
    return values
  }

  /// What there is for the only item of a request.
  func only<Value>() throws(ServingError) -> Value where Element == Result<Value, ServingError> {
    guard let value = try all().first else { throw ServingError(.failed, "There is no result.") }
    return value
  }
}

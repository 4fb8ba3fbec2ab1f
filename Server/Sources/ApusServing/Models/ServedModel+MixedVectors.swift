import Apus

extension ServedModel {
  /// The vectors of the texts and the pictures of one request, which counts as one.
  /// - Parameters:
  ///   - truncates: whether a text that is longer than the model takes is cut; else it fails.
  ///   - side: the end that is cut off; nil for the one that the model's files name.
  ///   - length: what is done with the length of vectors.
  ///   - dimensions: the numbers of each vector that the client wants at most; nil for all.
  ///   - masksPadding: whether padding of texts is masked; nil for as the server was started.
  /// - Returns: one result for each, those of texts first; pictures have no tokens.
  /// - Throws: ``ServingError`` for the request as a whole: `invalid` for more dimensions than the vectors have.
  public func embed(
    _ texts: [TextInput], and pictures: [Picture], truncates: Bool, cutting side: TextSide? = nil,
    length: EmbeddingLength = .model, dimensions: Int? = nil, masksPadding: Bool? = nil
  ) async throws(ServingError) -> [Result<TextEmbedding, ServingError>] {
    if !texts.isEmpty { try require(.textEmbedding) }
    if !pictures.isEmpty { try require(.imageEmbedding) }
    return try await recorded { () async throws(ServingError) -> RequestOutcomes<TextEmbedding> in
      try require(count: texts.count + pictures.count)
      var all = RequestOutcomes<TextEmbedding>(items: [], time: .zero)
      if !texts.isEmpty {
        all = try await textOutcomes(
          texts, truncates: truncates, cutting: side, length: length, dimensions: dimensions,
          masksPadding: masksPadding)
      }
      if !pictures.isEmpty {
        let seen = try await pictureOutcomes(pictures, length: length, dimensions: dimensions)
        all = all.followed(
          by: seen.map { TextEmbedding(values: $0.values, tokenCount: 0, wasTruncated: false) })
      }
      return all
    }
  }
}

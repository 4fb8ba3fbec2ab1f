import ApusServing

extension JSONText {
  /// What `POST /v1/embeddings` answers.
  static func openAIEmbeddings(
    _ embeddings: [(vector: [Float], tokens: Int)], format: OpenAIEmbeddingRequest.EncodingFormat,
    model: String
  ) -> JSONText {
    let tokens = embeddings.reduce(0) { $0 + $1.tokens }
    let data = embeddings.enumerated().map { index, embedding in
      [
        "object": "embedding", "index": .integer(index),
        "embedding": format == .base64
          ? .string(Base64.text(embedding.vector)) : .vector(embedding.vector),
      ] as JSONText
    }
    return [
      "object": "list", "data": .array(data), "model": .string(model),
      "usage": ["prompt_tokens": .integer(tokens), "total_tokens": .integer(tokens)],
    ]
  }
}

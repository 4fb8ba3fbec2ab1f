import Apus
import ApusServing
import Hummingbird

/// The routes by which clients of Cohere and of Jina have documents ranked.
struct DocumentRankingRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.ranking

  var endpoints: [Endpoint] { [endpoint(version: 1), endpoint(version: 2)] }

  private func endpoint(version: Int) -> Endpoint {
    Endpoint(
      method: .post, path: "/v\(version)/rerank",
      summary: "Ranks documents by how well they answer a query.",
      bodies: [("application/json", DocumentRankingRequest.schema)],
      answer: DocumentRankingRequest.answerSchema
    ) { request, context in
      try await state.withBody(of: request, reading: DocumentRankingRequest.init) { request in
        try await answer(request, version: version, id: context.requestID).response
      }
    }
  }

  private func answer(
    _ request: DocumentRankingRequest, version: Int, id: String
  ) async throws(ServingError) -> JSONText {
    let model = try await state.models.reranker(request.model)
    var documents = request.documents
    if let limit = request.tokensPerDocument, limit < (try await model.facts().maximumTokens ?? .max) {
      documents = try await cut(documents, to: limit, by: model)
    }
    let found = try await model.relevance(
      of: documents, to: request.query, truncates: request.truncation.isWanted,
      cutting: request.truncation.side)
    return request.answer(try found.all(), version: version, model: model.name, id: id)
  }

  /// Documents without what is behind so many of their tokens.
  private func cut(
    _ documents: [String], to limit: Int, by model: ServedModel
  ) async throws(ServingError) -> [String] {
    let encodings = try await model.encode(documents, addsSpecialTokens: false)
    return try zip(documents, encodings).map { (document, encoding) throws(ServingError) in
      guard encoding.ids.count > limit else { return document }
      guard let end = encoding.offsets?[limit - 1].upperBound else {
        throw ServingError(
          .unsupported,
          "Model '\(model.name)' does not tell where tokens end: 'max_tokens_per_doc' cannot be followed.")
      }
      return String(decoding: document.utf8.prefix(end), as: UTF8.self)
    }
  }
}

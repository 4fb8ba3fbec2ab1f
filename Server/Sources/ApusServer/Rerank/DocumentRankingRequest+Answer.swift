import ApusServing

extension DocumentRankingRequest {
  /// The places and scores of documents, the best first, in one form that clients of Cohere and of Jina read.
  /// - Parameters:
  ///   - found: one for each document.
  ///   - version: of Cohere's protocol.
  ///   - model: the name of the one that ranked them.
  ///   - id: the request's name.
  func answer(_ found: [TextRelevance], version: Int, model: String, id: String) -> JSONText {
    let order = Relevance.order(of: found.map(\.logit)).prefix(count ?? found.count)
    let results = order.map { index -> JSONText in
      let text: [(key: String, value: JSONText)] =
        returnsDocuments ? [("document", ["text": .string(documents[index])])] : []
      let score = Relevance.probability(of: found[index].logit)
      return .object([("index", .integer(index)), ("relevance_score", .float(score))] + text)
    }
    let tokens = found.reduce(0) { $0 + $1.tokenCount }
    return [
      "id": .string(id), "object": "list", "model": .string(model), "results": .array(results),
      "usage": ["prompt_tokens": .integer(tokens), "total_tokens": .integer(tokens)],
      "meta": [
        "api_version": ["version": .string("\(version)")], "tokens": ["input_tokens": .integer(tokens)],
      ],
    ]
  }

  static let answerSchema = Schema.object([
    "id": Schema.text, "object": Schema.text, "model": Schema.text,
    "results": Schema.list(
      Schema.object(
        ["index": ["type": "integer"], "relevance_score": Schema.number],
        optional: ["document": Schema.object(["text": Schema.text])], isOpen: true)),
    "usage": Schema.object(["prompt_tokens": ["type": "integer"], "total_tokens": ["type": "integer"]]),
    "meta": ["type": "object"],
  ])
}

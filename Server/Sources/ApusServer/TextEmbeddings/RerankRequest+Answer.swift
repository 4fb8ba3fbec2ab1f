extension RerankRequest {
  /// The texts' places and scores, the best first; of equal ones the one that was sent first. Scores are probabilities,
  /// whatever a model's files say is made of its logits: as Text Embeddings Inference has them.
  /// - Parameter logits: one for each text.
  func answer(_ logits: [Float]) -> JSONText {
    .array(
      Relevance.order(of: logits).map { index in
        let score = wantsLogits ? logits[index] : Relevance.probability(of: logits[index])
        let text: [(key: String, value: JSONText)] = returnsTexts ? [("text", .string(texts[index]))] : []
        return .object([("index", .integer(index))] + text + [("score", .float(score))])
      })
  }

  static let answerSchema = Schema.list(
    Schema.object(
      ["index": ["type": "integer"], "score": Schema.number], optional: ["text": Schema.text], isOpen: true))
}

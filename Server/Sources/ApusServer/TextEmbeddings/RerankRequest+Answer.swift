import Glibc

extension RerankRequest {
  /// The texts' places and scores, the best first; of equal ones the one that was sent first. Scores are probabilities,
  /// whatever a model's files say is made of its logits: as Text Embeddings Inference has them.
  /// - Parameter logits: one for each text.
  func answer(_ logits: [Float]) -> JSONText {
    let order = logits.indices.sorted { (-logits[$0], $0) < (-logits[$1], $1) }
    return .array(
      order.map { index in
        let score = wantsLogits ? logits[index] : Self.logistic(logits[index])
        let text: [(key: String, value: JSONText)] = returnsTexts ? [("text", .string(texts[index]))] : []
        return .object([("index", .integer(index))] + text + [("score", .float(score))])
      })
  }

  static func logistic(_ logit: Float) -> Float { Float(1 / (1 + exp(-Double(logit)))) }

  static let answerSchema = Schema.list(
    Schema.object(
      ["index": ["type": "integer"], "score": Schema.number], optional: ["text": Schema.text], isOpen: true))
}

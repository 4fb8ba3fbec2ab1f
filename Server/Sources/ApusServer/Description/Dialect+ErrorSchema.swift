extension Dialect {
  /// The schema of the bodies of errors.
  var errorSchema: JSONText {
    switch self {
    case .openAI:
      Schema.object([
        "error": Schema.object([
          "message": Schema.text, "type": Schema.text, "param": Schema.optional(Schema.text),
          "code": Schema.optional(Schema.text),
        ])
      ])
    case .ranking: Schema.object(["id": Schema.text, "message": Schema.text, "detail": Schema.text])
    case .textEmbeddings: Schema.object(["error": Schema.text, "error_type": Schema.text])
    case .inferenceProtocol, .ollama: Schema.object(["error": Schema.text])
    case .native: Schema.object(["error": Schema.text, "request_id": Schema.text])
    }
  }
}

/// Schemas of what the server's own routes answer.
enum NativeSchemas {
  static let scores = Schema.object([
    "results": Schema.list(Schema.object(["label": Schema.text, "score": Schema.number]))
  ])

  /// What pictures and texts are answered with. Labels have logits, classes have none.
  static let classification = Schema.object([
    "model": Schema.text, "scoring": Schema.optional(Schema.choice(["softmax", "sigmoid"])),
    "results": Schema.list(Schema.object(["label": Schema.text, "score": Schema.number])),
    "uncertain": Schema.flag, "milliseconds": Schema.object(["total": Schema.number]),
  ])

  static let status = Schema.object([
    "models": Schema.list(
      Schema.object([
        "name": Schema.text, "tasks": Schema.list(Schema.text), "state": Schema.text,
        "memory": ["type": "integer"], "runs": ["type": "integer"], "p50": Schema.optional(Schema.number),
        "p95": Schema.optional(Schema.number), "target": Schema.optional(Schema.number),
        "compliance": Schema.optional(Schema.number),
      ])),
    "memory": Schema.object(["used": ["type": "integer"], "limit": ["type": "integer"]]),
    "alerts": Schema.list(
      Schema.object(["model": Schema.text, "level": Schema.text, "message": Schema.text])),
    "privacy": Schema.object(["badge": Schema.text, "sealed": Schema.flag]),
  ])
}

extension ClassifyEmbeddingRequest {
  static let schema = Schema.object(
    ["embedding": Schema.list(Schema.number, minimum: 1)],
    optional: ["model": Schema.text, "labels": Schema.list(Schema.text, minimum: 1), "top_k": Schema.count],
    isOpen: false)
}

extension ClassifyTextRequest {
  static let schema = Schema.object(
    ["text": Schema.text], optional: ["model": Schema.text, "top_k": Schema.count], isOpen: false)
}

extension PictureRequest {
  static func bodies(takesLabels: Bool) -> [(type: String, schema: JSONText)] {
    let options: [(key: String, value: JSONText)] =
      [("model", Schema.text), ("top_k", Schema.count)]
      + (takesLabels ? [("labels", Schema.list(Schema.text, minimum: 1))] : [])
    return [
      ("application/json", Schema.object(["image": Schema.file], optional: .object(options), isOpen: false)),
      ("multipart/form-data", Schema.object(.object([("image", Schema.anything)] + options), isOpen: false)),
      ("image/*", Schema.anything),
    ]
  }

  static func query(takesLabels: Bool) -> [(name: String, schema: JSONText)] {
    [("model", Schema.text), ("top_k", Schema.count)] + (takesLabels ? [("labels", Schema.text)] : [])
  }
}

extension OllamaEmbedRequest {
  private static let runner: [(key: String, value: JSONText)] = [
    ("options", Schema.object([:], optional: ["num_ctx": Schema.count], isOpen: true)),
    ("keep_alive", Schema.either(Schema.text, Schema.number)),
  ]

  static let schema = Schema.object(
    ["model": Schema.model],
    optional: .object(
      [
        ("input", Schema.either(Schema.text, Schema.list(Schema.text))), ("truncate", Schema.flag),
        ("dimensions", Schema.count),
      ] + runner), isOpen: true)

  static let elderSchema = Schema.object(
    ["model": Schema.model], optional: .object([("prompt", Schema.text)] + runner), isOpen: true)
}

extension OllamaShowRequest {
  static let schema = Schema.object(["model": Schema.model], isOpen: true)
}

extension OllamaRoutes {
  static let embeddingsSchema = Schema.object([
    "model": Schema.text, "embeddings": Schema.list(Schema.list(Schema.number)),
    "total_duration": ["type": "integer"],
    "prompt_eval_count": ["type": "integer"],
  ])

  static let listSchema = Schema.object([
    "models": Schema.list(
      Schema.object(["name": Schema.text, "model": Schema.text, "size": ["type": "integer"]]))
  ])

  static let showSchema = Schema.object([
    "details": ["type": "object"], "model_info": ["type": "object"],
    "capabilities": Schema.list(Schema.text),
  ])
}

import Apus

/// Schemas of what the server's own routes answer.
enum NativeSchemas {
  static let scoring = Schema.choice(["softmax", "sigmoid"])

  static let scores = Schema.object([
    "results": Schema.list(Schema.object(["label": Schema.text, "score": Schema.number]))
  ])

  /// By the tag of the language; empty where the label file does not say which it is.
  private static let translations: JSONText = ["type": "object", "additionalProperties": Schema.text]

  /// Labels have logits, classes their place among the model's outputs and what their label file says of them.
  private static let result = Schema.object(
    ["label": Schema.text, "score": Schema.number],
    optional: [
      "index": ["type": "integer"], "logit": Schema.number, "name": translations,
      "description": translations, "advice": translations,
    ],
    isOpen: true)

  /// What pictures and texts are answered with.
  static let classification = Schema.object([
    "model": Schema.text, "scoring": Schema.optional(scoring),
    "trained_scoring": Schema.optional(scoring), "probabilities": Schema.flag,
    "results": Schema.list(result),
    "uncertain": Schema.flag, "reason": Schema.optional(Schema.choice(["foreign", "low_score"])),
    "damage": Schema.optional(Schema.text), "truncated": Schema.flag,
    "milliseconds": Schema.object(["total": Schema.number]),
  ])

  static let embedding = Schema.object(["model": Schema.text, "embedding": Schema.list(Schema.number)])

  /// How long a model took until it answered, in milliseconds; of one that was opened for several tasks, all together.
  private static let loading = Schema.object([
    "open": Schema.number, "prepare": Schema.number, "first_run": Schema.optional(Schema.number),
  ])

  private static let quantiles = Schema.object(["p50": Schema.number, "p95": Schema.number])

  /// How good a form of a model is.
  private static let quality = Schema.choice(["high", "medium", "low"])

  static let status = Schema.object([
    "models": Schema.list(
      Schema.object([
        "name": Schema.text, "tasks": Schema.list(Schema.text), "state": Schema.text,
        "failure": Schema.optional(Schema.text),
        "memory": ["type": "integer"], "quality": quality,
        "qualities": ["type": "object", "additionalProperties": quality],
        "load_milliseconds": Schema.optional(loading),
        "zero_shot_labels": Schema.optional(Schema.list(Schema.text)),
        "requests": ["type": "integer"], "request_milliseconds": Schema.optional(quantiles),
        "runs": ["type": "integer"], "run_milliseconds": Schema.optional(quantiles),
        // As they were called before 0.2.0.
        "p50": Schema.optional(Schema.number), "p95": Schema.optional(Schema.number),
        "target": Schema.optional(Schema.number), "compliance": Schema.optional(Schema.number),
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
    optional: .object(
      [
        ("model", Schema.model), ("labels", Schema.list(Schema.words, minimum: 1)), ("top_k", Schema.count),
      ] + Schema.members(ZeroShotReading.requested)),
    isOpen: false)
}

extension ClassifyTextRequest {
  static let schema = Schema.object(
    ["text": Schema.words], optional: ["model": Schema.model, "top_k": Schema.count], isOpen: false)
}

extension PictureRequest {
  static func bodies(taking options: Set<Option>) -> [(type: String, schema: JSONText)] {
    let fields = JSONText.object(
      schemas(of: options).map {
        ($0.key, $0.key == "labels" ? Schema.list(Schema.words, minimum: 1) : $0.value)
      })
    return [
      ("application/json", Schema.object(["image": Schema.file], optional: fields, isOpen: false)),
      ("multipart/form-data", Schema.object(["image": Schema.anything], optional: fields, isOpen: false)),
      ("image/*", Schema.anything),
    ]
  }

  /// What may stand in the address where the body is the picture.
  static func query(taking options: Set<Option>) -> [(name: String, schema: JSONText)] {
    schemas(of: options).map { (name: $0.key, schema: $0.value) }
  }

  private static func schemas(of options: Set<Option>) -> [(key: String, value: JSONText)] {
    Option.allCases.filter(options.contains).flatMap { option in
      switch option {
      case .model: [(option.rawValue, Schema.model)]
      case .labels: [(option.rawValue, Schema.words)]
      case .topK: [(option.rawValue, Schema.count)]
      case .reading: Schema.members(ZeroShotReading.requested)
      }
    }
  }
}

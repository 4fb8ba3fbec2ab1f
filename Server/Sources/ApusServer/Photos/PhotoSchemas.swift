/// Schemas of what searches of photographs take and answer.
enum PhotoSchemas {
  static let results = Schema.object([
    "results": Schema.list(
      Schema.object([
        "id": Schema.text,
        "path": Schema.text, "score": Schema.number,
        "taken": Schema.optional(Schema.text), "width": Schema.optional(Schema.count),
        "height": Schema.optional(Schema.count),
      ]))
  ])

  static let overview = Schema.object(["photos": ["type": "integer"], "model": Schema.optional(Schema.text)])

  /// Sentences, photographs or a picture, and what may be there besides.
  static let request = Schema.either(
    request("query", texts, others: ["like": texts, "image": Schema.file]),
    request("like", texts, others: ["query": texts, "image": Schema.file]),
    request("image", Schema.file, others: ["query": texts, "like": texts]))

  static let parameters: [(name: String, schema: JSONText)] = [
    ("query", Schema.list(Schema.text)), ("like", Schema.list(Schema.text)), ("top", top),
    ("min_score", minimum),
  ]

  private static func request(_ key: String, _ schema: JSONText, others: JSONText) -> JSONText {
    guard case .object(let others) = others else { return [:] }
    return Schema.object(
      .object([(key, schema)]), optional: .object(others + [("top", top), ("min_score", minimum)]),
      isOpen: false)
  }

  private static let texts = Schema.either(Schema.text, Schema.list(Schema.text))
  private static let top: JSONText = [
    "type": "integer", "minimum": 1, "maximum": .integer(PhotoSearchRequest.most),
  ]
  private static let minimum = Schema.either(Schema.number, Schema.choice(["auto"]))
}

/// Schemas of what searches of photographs take and answer.
enum PhotoSchemas {
  static let results = Schema.object(
    [
      "results": Schema.list(
        Schema.object([
          "id": Schema.text,
          "path": Schema.text, "score": Schema.number,
          "taken": Schema.optional(Schema.text), "width": Schema.optional(Schema.count),
          "height": Schema.optional(Schema.count),
        ]))
    ], optional: ["note": text("Why a `min_score` of `auto` left nothing out.")], isOpen: true)

  static let overview = Schema.object(["photos": ["type": "integer"], "model": Schema.optional(Schema.text)])

  /// Sentences, photographs or a picture, and what may be there besides.
  static let request = Schema.either(
    request("query", texts, others: ["sentence": texts, "like": texts, "image": Schema.file]),
    request("sentence", texts, others: ["query": texts, "like": texts, "image": Schema.file]),
    request("like", texts, others: ["query": texts, "sentence": texts, "image": Schema.file]),
    request("image", Schema.file, others: ["query": texts, "sentence": texts, "like": texts]))

  static let parameters = repeated + single

  private static func request(_ key: String, _ schema: JSONText, others: JSONText) -> JSONText {
    guard case .object(let others) = others else { return [:] }
    let more = single.map { (key: $0.name, value: $0.schema) }
    let folders: [(key: String, value: JSONText)] = [("in", Schema.either(folder, Schema.list(folder)))]
    return Schema.object(
      .object([(key, schema)]), optional: .object(others + folders + more), isOpen: false)
  }

  /// What may be there again in an address.
  private static let repeated: [(name: String, schema: JSONText)] = [
    ("query", Schema.list(Schema.text)), ("sentence", Schema.list(Schema.text)),
    ("like", Schema.list(Schema.text)), ("in", Schema.list(folder)),
  ]
  /// What may be there once.
  private static let single: [(name: String, schema: JSONText)] = [
    ("top", top), ("min_score", minimum),
    ("since", text("Taken then or later: 2019, 2019-05, 2019-05-31 or 2019-05-31T18:30.")),
    ("until", text("Taken on or before this date; a year or month counts to its end.")),
    ("camera", text("Part of the camera's name.")),
    ("near", text("Taken so near: degrees north, degrees east, kilometres, as 48.14,11.58,20.")),
  ]
  private static let folder = text("In that folder, or below: a path from /.")

  private static func text(_ description: String) -> JSONText {
    ["type": "string", "description": .string(description)]
  }

  private static let texts = Schema.either(Schema.text, Schema.list(Schema.text))
  private static let top: JSONText = [
    "type": "integer", "minimum": 1, "maximum": .integer(PhotoSearchRequest.most),
  ]
  private static let minimum = Schema.either(Schema.number, Schema.choice(["auto"]))
}

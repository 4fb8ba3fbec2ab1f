import ApusServing

/// `POST /api/embed`, and its elder form `/api/embeddings`.
struct OllamaEmbedRequest: Equatable {
  let model: String
  let texts: [String]
  let truncates: Bool
  let dimensions: Int?
  /// The tokens of a text that the client wants read, at most; nil for the model's own limit.
  let contextLength: Int?

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    model = try OllamaName.model(fields)
    switch fields["input"] {
    case nil: texts = []
    case .string(let text): texts = text == "" ? [] : [text.text]
    default: texts = try fields.texts("input")
    }
    truncates = try fields.optionalFlag("truncate") ?? true
    dimensions = try fields.optionalCount("dimensions")
    contextLength = try Self.contextLength(fields)
  }

  /// The elder form, with one text.
  init(prompt body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    model = try OllamaName.model(fields)
    let text = try fields.optionalText("prompt") ?? ""
    texts = text.isEmpty ? [] : [text]
    (truncates, dimensions) = (true, nil)
    contextLength = try Self.contextLength(fields)
  }

  /// How long a model stays, and with what it runs, is the server's to say: such fields have to be sound, and are passed
  /// over. Of those among them, one alone changes vectors.
  private static func contextLength(_ fields: RequestFields) throws(RequestFault) -> Int? {
    switch fields["keep_alive"] {
    case nil, .string, .number: break
    case let value?: throw .unexpected(value, "keep_alive", expected: "a duration")
    }
    return try fields.optionalFields("options")?.optionalCount("num_ctx")
  }
}

/// Names of models as Ollama's clients write them.
enum OllamaName {
  /// The name in `model`, or in `name` as elder clients have it.
  static func model(_ fields: RequestFields) throws(RequestFault) -> String {
    let name = try fields.optionalText(fields["model"] == nil ? "name" : "model")
    guard let name, !name.isEmpty else { throw .missing("model") }
    return name
  }
}

/// `POST /api/show`.
struct OllamaShowRequest: Equatable {
  let model: String

  init(_ body: [UInt8]) throws(RequestFault) { model = try OllamaName.model(try RequestFields(body: body)) }
}

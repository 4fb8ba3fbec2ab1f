/// `POST /v1/embeddings`.
struct OpenAIEmbeddingRequest: Equatable {
  /// How vectors are written. The Python and JavaScript clients ask for base64 by themselves.
  enum EncodingFormat: String, CaseIterable { case float, base64 }

  let model: String
  let input: [EmbeddingInput]
  let format: EncodingFormat
  let dimensions: Int?
  /// OpenAI's own server refuses what is too long.
  let truncation: Truncation
  /// No key of OpenAI's, as `image` of an input is none.
  let masksPadding: Bool?

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    try fields.refuseAll(but: [
      "model", "input", "encoding_format", "dimensions", "user", "mask_padding", "input_type", "truncate",
    ])
    model = try fields.text("model")
    input = try EmbeddingInput.list(try fields.value("input"), "input")
    guard !input.isEmpty else { throw .empty("input") }
    format = try fields.optionalChoice("encoding_format") ?? .float
    dimensions = try fields.optionalCount("dimensions")
    masksPadding = try fields.optionalFlag("mask_padding")
    truncation = try Truncation(fields, isUsual: false)
    // Who asks, and whether a text is a query: nothing here depends on it.
    _ = try fields.optionalText("user")
    _ = try fields.optionalText("input_type")
  }

  /// Whether the client made tokens of a text itself.
  var hasTokens: Bool {
    input.contains { if case .text(.tokens) = $0 { true } else { false } }
  }
}

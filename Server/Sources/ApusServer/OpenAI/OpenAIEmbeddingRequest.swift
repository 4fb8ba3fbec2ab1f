/// `POST /v1/embeddings`.
struct OpenAIEmbeddingRequest: Equatable {
  /// How vectors are written. The Python and JavaScript clients ask for base64 by themselves.
  enum EncodingFormat: String, CaseIterable { case float, base64 }

  let model: String
  let input: [EmbeddingInput]
  let format: EncodingFormat
  let dimensions: Int?
  /// No key of OpenAI's, as `image` of an input is none.
  let masksPadding: Bool?

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    try fields.refuseAll(but: ["model", "input", "encoding_format", "dimensions", "user", "mask_padding"])
    model = try fields.text("model")
    input = try EmbeddingInput.list(try fields.value("input"), "input")
    guard !input.isEmpty else { throw .empty("input") }
    format = try fields.optionalChoice("encoding_format") ?? .float
    dimensions = try fields.optionalCount("dimensions")
    masksPadding = try fields.optionalFlag("mask_padding")
    _ = try fields.optionalText("user")
  }
}

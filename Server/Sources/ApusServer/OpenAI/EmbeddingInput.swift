import Apus
import ApusServing

/// What `POST /v1/embeddings` embeds. OpenAI's own server takes texts; servers of models that embed pictures too take
/// objects with a `text` or an `image`.
enum EmbeddingInput: Equatable {
  case text(TextInput)
  /// The content of a picture file.
  case picture([UInt8])

  static func list(_ value: JSONValue, _ name: String) throws(RequestFault) -> [EmbeddingInput] {
    guard case .array(let values) = value, values.contains(where: \.isObject) else {
      return try TextInputs.list(value, name).map(EmbeddingInput.text)
    }
    var inputs: [EmbeddingInput] = []
    for (index, value) in values.enumerated() {
      inputs.append(try item(value, "\(name)[\(index)]"))
    }
    return inputs
  }

  private static func item(_ value: JSONValue, _ name: String) throws(RequestFault) -> EmbeddingInput {
    if let text = value.string { return .text(.text(text)) }
    let fields = try RequestFields(value, name)
    try fields.refuseAll(but: ["text", "image"])
    switch (try fields.optionalText("text"), try fields.optionalText("image")) {
    case (let text?, nil): return .text(.text(text))
    case (nil, let image?): return .picture(try Base64.bytes(image, fields.name("image")))
    default: throw RequestFault(.field, "'\(name)' has to have either 'text' or 'image'.", field: name)
    }
  }

  static let schema = Schema.either(
    TextInputs.schema,
    Schema.list(
      Schema.either(
        Schema.object(["text": Schema.text], isOpen: false),
        Schema.object(["image": Schema.file], isOpen: false)), minimum: 1))
}

extension JSONValue {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}

extension ServedModel {
  /// The vectors of texts and pictures, in their order; pictures have no tokens.
  func vectors(
    of inputs: [EmbeddingInput], _ truncation: Truncation, _ shape: VectorShape
  ) async throws(ServingError) -> [(vector: [Float], tokens: Int)] {
    var texts: [TextInput] = []
    var pictures: [Picture] = []
    for input in inputs {
      switch input {
      case .text(let text): texts.append(text)
      case .picture(let file): pictures.append(.encoded(file))
      }
    }
    let found = try await embed(
      texts, and: pictures, truncates: truncation.isWanted, cutting: truncation.side, length: shape.length,
      dimensions: shape.dimensions, masksPadding: shape.masksPadding)
    var read = found.prefix(texts.count), seen = found.dropFirst(texts.count)
    // Brought together before errors are looked for: these count the items as the request has them.
    let outcomes = inputs.compactMap { (input) -> Result<TextEmbedding, ServingError>? in
      switch input {
      case .text: read.popFirst()
      case .picture: seen.popFirst()
      }
    }
    var vectors: [(vector: [Float], tokens: Int)] = []
    for embedding in try outcomes.all() {
      vectors.append((shape.apply(embedding.values), embedding.tokenCount))
    }
    return vectors
  }
}

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
    if case .string(let text) = value { return .text(.text(text)) }
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
    of inputs: [EmbeddingInput], _ shape: VectorShape
  ) async throws(ServingError) -> [(vector: [Float], tokens: Int)] {
    var texts: [TextInput] = []
    var pictures: [Picture] = []
    for input in inputs {
      switch input {
      case .text(let text): texts.append(text)
      case .picture(let file): pictures.append(.encoded(file))
      }
    }
    if shape.dimensions != nil {
      if !texts.isEmpty { try shape.check(width: try await textEmbeddingWidth()) }
      if !pictures.isEmpty { try shape.check(width: try await imageEmbeddingWidth()) }
    }
    var read =
      texts.isEmpty ? [] : try await embed(texts, truncates: false, length: shape.length)[...]
    var seen = pictures.isEmpty ? [] : try await embed(pictures: pictures, length: shape.length)[...]
    // Brought together before errors are looked for: these count the items as the request has them.
    var outcomes: [Result<(vector: [Float], tokens: Int), ServingError>] = []
    for input in inputs {
      switch input {
      case .text:
        if let text = read.popFirst() {
          outcomes.append(text.map { (vector: shape.apply($0.values), tokens: $0.tokenCount) })
        }
      case .picture:
        if let picture = seen.popFirst() {
          outcomes.append(picture.map { (vector: shape.apply($0.values), tokens: 0) })
        }
      }
    }
    return try outcomes.all()
  }
}

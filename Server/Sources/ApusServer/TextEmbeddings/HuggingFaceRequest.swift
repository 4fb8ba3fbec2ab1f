import Apus
import ApusServing

/// What `huggingface_hub.InferenceClient` posts to the address that it is given as its model: every task goes there, and
/// the body alone shows which.
enum HuggingFaceRequest: Equatable {
  case similarity(SimilarityRequest)
  case embedding(EmbedRequest)
  case texts([String], topK: Int?)
  case picture([UInt8], topK: Int?)
  /// - Parameter template: a sentence with `{}` where a label goes; nil for those that the server was started with.
  case zeroShot([UInt8], labels: [String], template: String?)

  /// - Parameters:
  ///   - contentType: what the request says of its body; the client says nothing of bytes that it is given.
  ///   - tasks: what the model does, or the models of the server together.
  init(_ body: [UInt8], contentType: String?, tasks: Set<ModelTask>) throws(RequestFault) {
    guard BodyType(contentType).isJSON(body) else {
      guard !body.isEmpty else { throw RequestFault(.field, "The body is empty.") }
      self = .picture(body, topK: nil)
      return
    }
    try self.init(try RequestFields(body: body), tasks: tasks)
  }

  private init(_ fields: RequestFields, tasks: Set<ModelTask>) throws(RequestFault) {
    let parameters = try fields.optionalFields("parameters")
    let inputs = try fields.value("inputs")
    if case .object = inputs {
      self = .similarity(try SimilarityRequest(fields))
    } else if let parameters, let labels = try Labels.list(parameters, "candidate_labels") {
      let picture = try Base64.bytes(try fields.text("inputs"), "inputs")
      let template = try HypothesisTemplate.text(parameters)
      self = .zeroShot(picture, labels: labels, template: template)
    } else {
      // Only for embeddings the client writes options beside the inputs; elsewhere `parameters` is there, if empty.
      let textTasks: Set<ModelTask> =
        parameters == nil ? [.textEmbedding, .textClassification] : [.textClassification]
      let topK = try parameters?.optionalCount("top_k")
      try parameters?.refuse("function_to_apply", "the model's own function is applied.")
      if let picture = Self.picture(inputs, tasks, orTextFor: textTasks) {
        self = .picture(picture, topK: topK)
      } else if parameters == nil, tasks.contains(.textEmbedding) || !tasks.contains(.textClassification) {
        self = .embedding(try EmbedRequest(fields))
      } else {
        self = .texts(try Self.texts(inputs, fields), topK: topK)
      }
    }
  }

  /// A picture in base64, which looks like a text: where it could be one, by what files of pictures begin with.
  private static func picture(
    _ inputs: JSONValue, _ tasks: Set<ModelTask>, orTextFor textTasks: Set<ModelTask>
  ) -> [UInt8]? {
    guard let text = inputs.string, !tasks.isDisjoint(with: [.imageClassification, .zeroShot]),
      let picture = try? Base64.bytes(text, "inputs"),
      tasks.isDisjoint(with: textTasks) || PictureSignature.begins(picture)
    else { return nil }
    return picture
  }

  private static func texts(
    _ inputs: JSONValue, _ fields: RequestFields
  ) throws(RequestFault) -> [String] {
    if let text = inputs.string { return [text] }
    let texts = try fields.texts("inputs")
    guard !texts.isEmpty else { throw .empty("inputs") }
    return texts
  }
}

/// What files of pictures begin with.
enum PictureSignature {
  private static let signatures: [(offset: Int, bytes: [UInt8])] = [
    (0, [0xFF, 0xD8, 0xFF]), (0, [0x89] + Array("PNG".utf8)), (0, Array("GIF8".utf8)),
    (8, Array("WEBP".utf8)),
    (4, Array("ftyp".utf8)), (0, Array("II*\0".utf8)), (0, Array("MM\0*".utf8)), (0, Array("BM".utf8)),
  ]

  static func begins(_ file: [UInt8]) -> Bool {
    signatures.contains { file.dropFirst($0.offset).starts(with: $0.bytes) }
  }
}

extension HuggingFaceRequest {
  static let schema = Schema.object(
    ["inputs": Schema.either(Schema.text, ["type": "array"], ["type": "object"])],
    optional: ["parameters": ["type": "object"]], isOpen: true)
}

/// A sentence of a request with `{}` where a label goes.
enum HypothesisTemplate {
  /// Bytes of it: no tokenizer of these models reads as many, and every label is put into a copy.
  private static let longest = 4096
  /// Places for the label: each makes the sentence longer by all of it.
  private static let mostPlaces = 4

  /// What stands under `hypothesis_template`; nil where there is none.
  static func text(_ fields: RequestFields) throws(RequestFault) -> String? {
    guard let template = try fields.optionalText("hypothesis_template") else { return nil }
    let name = fields.name("hypothesis_template")
    let length = template.utf8.count
    guard length <= longest else {
      throw RequestFault(
        .field, "'\(name)' is a sentence of \(length) bytes, expected at most \(longest).", field: name)
    }
    let places = template.ranges(of: "{}").count
    guard places > 0 else {
      throw RequestFault(.field, "'\(name)' has no {} where the label goes.", field: name)
    }
    guard places <= mostPlaces else {
      throw RequestFault(
        .field, "'\(name)' has \(places) {} where the label goes, expected at most \(mostPlaces).",
        field: name)
    }
    return template
  }
}

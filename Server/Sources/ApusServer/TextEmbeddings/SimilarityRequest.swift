/// `POST /similarity`.
struct SimilarityRequest: Equatable {
  let source: String
  let sentences: [String]
  let options: TextOptions
  let masksPadding: Bool?

  init(_ body: [UInt8]) throws(RequestFault) { try self.init(try RequestFields(body: body)) }

  init(_ fields: RequestFields) throws(RequestFault) {
    let inputs = try fields.fields("inputs")
    source = try inputs.text("source_sentence")
    sentences = try inputs.texts("sentences")
    guard !sentences.isEmpty else { throw .empty(inputs.name("sentences")) }
    let parameters = try fields.optionalFields("parameters")
    options = try TextOptions(parameters, model: try fields.optionalText("model"))
    masksPadding = try parameters?.optionalFlag("mask_padding")
  }
}

/// `POST /rerank`.
struct RerankRequest: Equatable {
  let query: String
  let texts: [String]
  let options: TextOptions
  let wantsLogits: Bool
  let returnsTexts: Bool

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    query = try fields.text("query")
    texts = try fields.texts("texts")
    guard !texts.isEmpty else { throw .empty("texts") }
    options = try TextOptions(fields)
    wantsLogits = try fields.optionalFlag("raw_scores") ?? false
    returnsTexts = try fields.optionalFlag("return_text") ?? false
  }
}

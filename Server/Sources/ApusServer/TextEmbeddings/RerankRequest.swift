/// `POST /rerank`. No model here reads pairs of texts; the request is read all the same, so that what is wrong with it by
/// itself is said first.
struct RerankRequest: Equatable {
  let options: TextOptions

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    _ = try fields.text("query")
    guard !(try fields.texts("texts").isEmpty) else { throw .empty("texts") }
    options = try TextOptions(fields)
    _ = try fields.optionalFlag("raw_scores")
    _ = try fields.optionalFlag("return_text")
  }
}

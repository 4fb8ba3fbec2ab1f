/// `POST /tokenize`.
struct TokenizeRequest: Equatable {
  let texts: [String]
  let model: String?
  let addsSpecialTokens: Bool

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    let value = try fields.value("inputs")
    if let text = value.string {
      texts = [text]
    } else {
      texts = try fields.texts("inputs")
      guard !texts.isEmpty else { throw .empty("inputs") }
    }
    model = try fields.optionalText("model")
    addsSpecialTokens = try fields.optionalFlag("add_special_tokens") ?? true
    try fields.refuse("prompt_name", "no prompts are known.")
  }
}

/// `POST /decode`.
struct DecodeRequest: Equatable {
  let ids: [[Int32]]
  let model: String?
  let skipsSpecialTokens: Bool

  init(_ body: [UInt8]) throws(RequestFault) {
    let fields = try RequestFields(body: body)
    ids = try TokenIDs.lists(try fields.value("ids"), "ids")
    model = try fields.optionalText("model")
    skipsSpecialTokens = try fields.optionalFlag("skip_special_tokens") ?? true
  }
}

/// What the routes of Text Embeddings Inference take besides their inputs.
struct TextOptions: Equatable {
  /// Which of the server's models; nil for the first that does it. Text Embeddings Inference serves one and knows no such
  /// field.
  let model: String?
  /// Whether texts that are longer than the model takes are cut.
  let truncates: Bool

  private enum Side: String, CaseIterable { case left, right, Left, Right }

  /// - Parameter fields: where the options stand, which is `parameters` for some routes.
  init(_ fields: RequestFields?, model: String?) throws(RequestFault) {
    self.model = model
    truncates = try fields?.optionalFlag("truncate") ?? true
    let side = try fields?.optionalChoice("truncation_direction", of: Side.self)
    if side == .left || side == .Left {
      try fields?.refuse("truncation_direction", "texts are cut at their end.")
    }
    try fields?.refuse("prompt_name", "no prompts are known.")
  }

  init(_ fields: RequestFields) throws(RequestFault) {
    try self.init(fields, model: try fields.optionalText("model"))
  }
}

import Apus

/// What the routes of Text Embeddings Inference take besides their inputs.
struct TextOptions: Equatable {
  /// Which of the server's models; nil for the first that does it. Text Embeddings Inference serves one, and passes such a
  /// field over.
  let model: String?
  /// Whether texts that are longer than the model takes are cut.
  let truncates: Bool
  /// The end that is cut off; nil for the one that the model's files name.
  let side: TextSide?

  private enum Side: String, CaseIterable { case left, right, Left, Right }

  /// - Parameter fields: where the options stand, which is `parameters` for some routes.
  init(_ fields: RequestFields?, model: String?) throws(RequestFault) {
    self.model = model
    truncates = try fields?.optionalFlag("truncate") ?? true
    side = try fields?.optionalChoice("truncation_direction", of: Side.self).map {
      [.left, .Left].contains($0) ? .left : .right
    }
    try fields?.refuse("prompt_name", "no prompts are known.")
  }

  init(_ fields: RequestFields) throws(RequestFault) {
    try self.init(fields, model: try fields.optionalText("model"))
  }
}

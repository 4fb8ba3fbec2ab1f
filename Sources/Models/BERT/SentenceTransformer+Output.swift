extension SentenceTransformer {
  /// What the module Transformer gives, and how the library comes to it.
  struct Output: Sendable {
    /// How the library's model is used for one kind of input.
    struct Use: Sendable {
      let modality: String
      let method: String
      let output: String
    }

    let task: String
    let name: String
    let uses: [Use]

    /// Rows of features, one for each token.
    static let features = Output(
      task: "feature-extraction", name: "token_embeddings",
      uses: [Use(modality: "text", method: "forward", output: "last_hidden_state")])
    /// Logits.
    static let classifier = Output(
      task: "sequence-classification", name: "scores",
      uses: [Use(modality: "text", method: "forward", output: "logits")])
    /// The embeddings of a model with two towers.
    static let towers = Output(
      task: "feature-extraction", name: "sentence_embedding",
      uses: [
        Use(modality: "text", method: "get_text_features", output: "pooler_output"),
        Use(modality: "image", method: "get_image_features", output: "pooler_output"),
      ])
    /// The embedding of a tower for pictures by itself.
    static let imageTower = Output(
      task: "feature-extraction", name: "sentence_embedding",
      uses: [Use(modality: "image", method: "forward", output: "pooler_output")])
  }
}

import Formats
import TensorCore

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

    /// The modality of texts that a chat template is filled with.
    static let messages = "message"

    /// Rows of features, one for each token.
    static let features = Output(
      task: "feature-extraction", name: "token_embeddings",
      uses: [Use(modality: "text", method: "forward", output: "last_hidden_state")])
    /// Logits.
    static let classifier = Output(
      task: "sequence-classification", name: "scores",
      uses: [Use(modality: "text", method: "forward", output: "logits")])
    /// The same of pairs that a chat template makes one text of.
    static let messageClassifier = Output(
      task: "sequence-classification", name: "scores",
      uses: classifier.uses + [Use(modality: messages, method: "forward", output: "logits")])
    /// Logits of the next token of such a text.
    static let answers = Output(
      task: "text-generation", name: "causal_logits", uses: messageClassifier.uses)
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

extension SentenceTransformer.Output {
  /// Whether texts are given to it in a chat template.
  private var takesMessages: Bool { uses.contains { $0.modality == Self.messages } }

  /// Reads what is passed to the tokenizer: of a model that takes messages, what its chat template is told.
  /// - Returns: the value of `add_generation_prompt`.
  @discardableResult
  func readTemplateSettings(_ options: ConfigurationReader) throws(ApusError) -> Bool {
    guard takesMessages else {
      try options.require("processing_kwargs", isOneOf: .object([]))
      return false
    }
    let settings = try options.optionalObject("processing_kwargs")?.optionalObject("chat_template")
    return try settings?.bool("add_generation_prompt", default: false) ?? false
  }
}

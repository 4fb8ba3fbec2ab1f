/// What libraries call the numbers that a tower gives for each picture or text: the field of transformers' output for the
/// model's class.
package enum TowerOutput: String, Sendable {
  /// Of a classifier.
  case logits
  /// In the space that a model has for pictures and texts, of any length.
  case imageEmbeds = "image_embeds"
  case textEmbeds = "text_embeds"
  /// What stands for a whole input, of a tower without such a space.
  case poolerOutput = "pooler_output"
  /// What sentence-transformers pools of tokens: transformers has no name for it.
  case sentenceEmbedding = "sentence_embedding"
}

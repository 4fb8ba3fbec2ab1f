extension TextPipeline {
  /// Whether the model's vocabulary has the words of a text; see `Tokenizer.hasWords`.
  package func hasWords(of text: String) -> Bool { tokenizer.hasWords(of: text) }
}

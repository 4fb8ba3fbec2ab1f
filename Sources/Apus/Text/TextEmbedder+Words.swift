extension TextEmbedder {
  /// Whether the model's vocabulary has the words of a text, so that it can know what they mean.
  package func hasWords(of text: String) -> Bool { texts.hasWords(of: text) }
}

/// What a model has done to texts before they are tokenized.
package struct TextPreparation: Sendable {
  /// Stands before every text.
  package var prompt = ""
  /// Whether the tokenizer puts texts into lower case before all else.
  package var lowercases = false

  /// Tokens of a text at most, special ones included, whatever the tokenizer's files say; nil for what they say.
  package var maximumTokens: Int?

  package init() {}

  package func callAsFunction(_ text: String) -> String { prompt + text }
}

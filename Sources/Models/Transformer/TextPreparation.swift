import TensorCore

/// What a model has done to texts before they are tokenized.
package struct TextPreparation: Sendable {
  /// Stands before every text.
  package private(set) var prompt = ""
  /// What a caller may have stand there in its place, by names in the order of the files.
  private var prompts: [(name: String, text: String)] = []
  /// Whether the rows of a prompt's tokens are among those that stand for a text.
  var includesPrompt = true
  /// Whether the tokenizer puts texts into lower case before all else.
  package var lowercases = false

  /// Tokens of a text at most, special ones included, whatever the tokenizer's files say; nil for what they say.
  package var maximumTokens: Int?

  package init() {}

  package func callAsFunction(_ text: String) -> String { prompt + text }

  package var promptNames: [String] { prompts.map(\.name) }

  /// Adds a prompt, or gives one of that name another text.
  mutating func add(prompt text: String, named name: String) {
    if let index = index(ofPrompt: name) {
      prompts[index].text = text
    } else {
      prompts.append((name, text))
    }
  }

  /// The same with the prompt of a name.
  /// - Parameter name: nil for the prompt that the model has where nothing is chosen.
  /// - Throws: ``ApusError`` of kind `argument` where there is none of that name, of kind `unsupportedModel` where its tokens
  ///   would have to be left out.
  package func prompted(by name: String?) throws(ApusError) -> TextPreparation {
    guard let name else { return self }
    guard let index = index(ofPrompt: name) else {
      throw ApusError(
        .argument, "the model has no prompt '\(name.clipped)'",
        expected: prompts.isEmpty ? "no name: it has no prompts" : promptNames.joined(separator: ", ").clipped
      )
    }
    var other = self
    other.prompt = prompts[index].text
    guard includesPrompt || other.prompt.isEmpty else {
      throw ApusError(
        .unsupportedModel, "pooling that leaves out the tokens of a prompt", expected: "no prompt",
        at: "include_prompt")
    }
    return other
  }

  private func index(ofPrompt name: String) -> Int? {
    prompts.firstIndex { ExactText($0.name) == ExactText(name) }
  }
}

/// What a model has done to texts before they are tokenized.
package struct TextPreparation: Sendable {
  /// Stands before every text.
  package var prompt = ""
  /// Whether texts are put into lower case.
  package var lowercases = false

  package init() {}

  package func callAsFunction(_ text: String) -> String {
    let text = prompt + text
    return lowercases ? text.lowercased() : text
  }
}

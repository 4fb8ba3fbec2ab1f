/// What a model has done to texts before they are tokenized.
struct TextPreparation: Sendable {
  /// Stands before every text.
  var prompt = ""
  /// Whether texts are put into lower case.
  var lowercases = false

  func callAsFunction(_ text: String) -> String {
    let text = prompt + text
    return lowercases ? text.lowercased() : text
  }
}

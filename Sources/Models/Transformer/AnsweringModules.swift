import Formats
import TensorCore

/// A re-ranker of sentence-transformers that is a decoder: it reads query and document in a chat template, and its score is
/// how much likelier it answers with one word than with another.
struct AnsweringModules: Sendable {
  let words: AnswerWords
  let template: PairTemplate
  /// What is made of the score.
  let scoring: ClassScoring
  let preparation: TextPreparation

  /// - Returns: nil of a folder with other modules, or none.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for settings that change a result, or a template that is not known.
  init?(_ folder: ModelFolder) throws(ApusError) {
    let outer = folder.outer
    guard let list = outer.file("modules.json") else { return nil }
    let modules = try ModuleList(contentsOf: list).modules
    guard modules.map(\.type) == ["Transformer", "LogitScore"], let score = modules.last else { return nil }
    let file = score.path.isEmpty ? "config.json" : "\(score.path)/config.json"
    words = try outer.reading(file) { (options) throws(ApusError) in try AnswerWords(options) }
    var (preparation, generates) = (TextPreparation(), false)
    if let name = SentenceTransformer.settingsNames.first(where: { folder.file($0) != nil }) {
      (preparation, generates) = try folder.reading(name) { (options) throws(ApusError) in
        try Self.settings(options)
      }
    }
    template = try PairTemplate(folder, generates: generates)
    var scoring: ClassScoring?
    if let stated = try outer.readingIfPresent(
      "config_sentence_transformers.json",
      { (options) throws(ApusError) in
        try Self.options(options, preparation)
      })
    {
      (scoring, preparation) = stated
    }
    (self.scoring, self.preparation) = (scoring ?? .sigmoid, preparation)
  }

  /// How texts are prepared, and whether the template asks for an answer.
  static func settings(
    _ options: ConfigurationReader
  ) throws(ApusError) -> (TextPreparation, generates: Bool) {
    let generates = try SentenceTransformer.Output.answers.readTemplateSettings(options)
    return (try SentenceTransformer.settings(options, of: .answers), generates)
  }

  /// What is made of the score, nil where nothing is said, and the prompts, which are what is asked of documents.
  static func options(
    _ options: ConfigurationReader, _ preparation: TextPreparation
  ) throws(ApusError) -> (ClassScoring?, TextPreparation) {
    let scoring = try CrossEncoder.scoring(stated: options)
    return (scoring, try SentenceTransformer.prompting(preparation, options, of: "CrossEncoder"))
  }
}

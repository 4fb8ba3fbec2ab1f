import Formats
import TensorCore

/// What sentence-transformers says of a classifier of pairs, which it calls a cross-encoder: what is made of its logits,
/// and how texts are read. Up to version 3 that stood in `config.json` under a name of its own, up to 5 there in an object,
/// and from 6 on beside the list of modules.
struct CrossEncoder: Sendable {
  /// What is made of logits; nil where nothing is said.
  private var scoring: ClassScoring?
  /// Whether the list of modules is that of a cross-encoder.
  private var isDeclared = false
  private(set) var preparation = TextPreparation()
  /// How the modules say that pairs are read; nil where they do not.
  private(set) var pairs: TextPairs?

  /// - Parameter configuration: that of `config.json`.
  init(_ configuration: ConfigurationReader) throws(ApusError) {
    let older = try Self.scoring(configuration, "sbert_ce_default_activation_function")
    let settings = try configuration.optionalObject("sentence_transformers")
    settings?.passOver([KeysWithoutEffect("the version that wrote the file", ["version"])])
    scoring =
      try settings.flatMap { (settings) throws(ApusError) in
        try Self.scoring(settings, "activation_fn")
      } ?? older
  }

  /// The same with what the modules of its folder say, which counts first.
  /// - Parameter takesMessages: whether the model may be one that reads pairs in a chat template.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for other modules, or settings of them that change a result.
  func reading(_ folder: ModelFolder, takesMessages: Bool = false) throws(ApusError) -> CrossEncoder {
    var result = self
    let outer = folder.outer
    // The library reads the other files together with the modules.
    guard let list = outer.file("modules.json") else { return self }
    let isOne = try outer.readingIfPresent("config_sentence_transformers.json") {
      (options) throws(ApusError) in
      guard try options.optionalString("model_type") == "CrossEncoder" else {
        options.passOverRest(
          "a model of another kind, whose settings the library does not take for a cross-encoder")
        return false
      }
      result.scoring = try Self.settings(options) ?? result.scoring
      return true
    }
    guard isOne == true else { return self }
    let names = try ModuleList(contentsOf: list).modules.map(\.type)
    guard names == ["Transformer"] else {
      throw ApusError(
        .unsupportedModel, "the modules \(names.joined(separator: ", ").clipped) of a cross-encoder",
        expected: "Transformer", file: list)
    }
    if let name = SentenceTransformer.settingsNames.first(where: { folder.file($0) != nil }) {
      try result.read(name, of: folder, takesMessages: takesMessages)
    }
    result.isDeclared = true
    return result
  }

  /// Reads the settings of the module Transformer.
  private mutating func read(
    _ name: String, of folder: ModelFolder, takesMessages: Bool
  ) throws(ApusError) {
    var generates: Bool?
    preparation = try folder.reading(name) { (options) throws(ApusError) in
      let modalities = takesMessages ? try options.optionalObject("modality_config") : nil
      guard modalities?.has(SentenceTransformer.Output.messages) ?? false else {
        return try SentenceTransformer.settings(options, of: .classifier)
      }
      let output = SentenceTransformer.Output.messageClassifier
      generates = try output.readTemplateSettings(options)
      return try SentenceTransformer.settings(options, of: output)
    }
    pairs = try generates.map { (generates) throws(ApusError) in
      .written(try PairTemplate(folder, generates: generates))
    }
  }

  /// What is made of a classifier's logits. Of a cross-encoder that says nothing the library goes by the count of classes,
  /// whatever kind of problem `config.json` names.
  func scoring(of classes: ClassConfiguration) -> ClassScoring {
    scoring ?? (isDeclared ? classes.count == 1 ? .sigmoid : .none : classes.scoring)
  }

  /// What `config_sentence_transformers.json` says is made of logits.
  static func settings(_ options: ConfigurationReader) throws(ApusError) -> ClassScoring? {
    try options.require("model_type", isOneOf: .string("CrossEncoder"))
    options.passOver([
      KeysWithoutEffect("the versions that wrote the file", ["__version__"])
    ])
    try options.require("default_prompt_name", isOneOf: .null)
    try options.optionalObject("prompts")?.passOverRest("prompts that only a caller chooses")
    return try scoring(stated: options)
  }

  /// What `activation_fn` of `config_sentence_transformers.json` makes of logits; nil where nothing is said.
  static func scoring(stated options: ConfigurationReader) throws(ApusError) -> ClassScoring? {
    options.passOver([
      KeysWithoutEffect("layers that are not rounded, as none is in float32", ["keep_in_fp32_modules"])
    ])
    return try scoring(options, "activation_fn")
  }

  private static func scoring(
    _ options: ConfigurationReader, _ key: String
  ) throws(ApusError) -> ClassScoring? {
    guard options.value(key) != nil else { return nil }
    return try options.choice(
      key,
      [
        "torch.nn.modules.linear.Identity": ClassScoring.none, "torch.nn.Identity": ClassScoring.none,
        "torch.nn.modules.activation.Sigmoid": .sigmoid, "torch.nn.Sigmoid": .sigmoid,
      ])
  }
}

import Formats
import TensorCore

/// The modules of a model of sentence-transformers: what follows an encoder of texts, whose tokens' features are pooled.
struct SentenceTransformer: Sendable {
  /// A model without modules, as sentence-transformers would treat it.
  private(set) var pooling: TextHead.Pooling
  /// Linear layers behind pooling, in order.
  private var dense: [DenseModule] = []
  private(set) var normalizes = false
  private(set) var preparation = TextPreparation()

  /// What is made of the rows of tokens.
  var head: TextHead { TextHead(pooling: pooling, dense: dense) }

  /// - Parameter usual: how the library pools where there is no list of modules.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for modules, or settings of them, that are not those above.
  init(_ folder: ModelFolder, pooling usual: TextHead.Pooling = .mean) throws(ApusError) {
    pooling = usual
    let outer = folder.outer
    let modules = try SentenceTransformerModules(outer)
    if modules.transformer != nil { try readTransformer(folder) }
    if let path = modules.pooling {
      (pooling, preparation.includesPrompt) = try outer.reading(
        modules.file("config.json", path), Self.pooling)
    }
    for path in modules.dense { dense.append(try DenseModule(path, in: outer)) }
    normalizes = try modules.normalizes(outer)
    // The library reads the prompts together with the modules.
    preparation = try Self.prompting(preparation, modules.transformer == nil ? nil : outer)
  }

  /// Refuses linear layers behind pooling, of a network that has no place for them.
  func requireNoDense(_ folder: ModelFolder) throws(ApusError) {
    guard !dense.isEmpty else { return }
    throw ApusError(
      .unsupportedModel, "the module Dense behind this model", expected: "Transformer, Pooling and Normalize",
      file: folder.outer.file("modules.json"))
  }

  /// The names under which the settings of the module Transformer may stand; the first that is there counts.
  static let settingsNames = ["bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"]
    .map { "sentence_\($0)_config.json" }

  private mutating func readTransformer(_ folder: ModelFolder) throws(ApusError) {
    guard let name = Self.settingsNames.first(where: { folder.file($0) != nil }) else { return }
    preparation = try folder.reading(name) { (options) throws(ApusError) in try Self.settings(options) }
  }

  /// How texts are prepared: what the longest has in tokens, and whether they are put into lower case.
  static func settings(
    _ options: ConfigurationReader, of output: Output = .features
  ) throws(ApusError) -> TextPreparation {
    try options.require("transformer_task", isOneOf: .string(ExactText(output.task)))
    try options.require("module_output_name", isOneOf: .string(ExactText(output.name)))
    for key in [
      "model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args", "config_kwargs",
    ] { try options.require(key, isOneOf: .object([])) }
    try output.readTemplateSettings(options)
    if let modalities = try options.optionalObject("modality_config") {
      for use in output.uses {
        let stated = try modalities.optionalObject(use.modality)
        try stated?.require("method", isOneOf: .string(ExactText(use.method)))
        try stated?.require("method_output_name", isOneOf: .string(ExactText(use.output)))
        if use.modality == Output.messages { try stated?.require("format", isOneOf: .string("flat")) }
      }
    }
    options.passOver([KeysWithoutEffect("how a batch is laid in memory", ["unpad_inputs"])])
    var preparation = TextPreparation()
    preparation.maximumTokens = try options.optionalInteger(
      "max_seq_length", in: 1...ConfigurationReader.sizeLimit)
    preparation.lowercases = try options.bool("do_lower_case", default: false)
    return preparation
  }

  /// The same with the prompts that callers may choose, and before texts the one that is chosen for them.
  /// - Parameter folder: where they are stated; nil for the library's own alone.
  static func prompting(
    _ preparation: TextPreparation, _ folder: ModelFolder?
  ) throws(ApusError) -> TextPreparation {
    var preparation = preparation
    // Empty where nothing is said of them.
    for name in ["query", "document"] { preparation.add(prompt: "", named: name) }
    guard let folder else { return preparation }
    return try folder.readingIfPresent("config_sentence_transformers.json") { (options) throws(ApusError) in
      try prompting(preparation, options)
    } ?? preparation
  }

  /// - Parameter model: the class of the library that reads the file.
  static func prompting(
    _ preparation: TextPreparation, _ options: ConfigurationReader,
    of model: ExactText = "SentenceTransformer"
  ) throws(ApusError) -> TextPreparation {
    options.passOver([
      KeysWithoutEffect("the versions that wrote the file", ["__version__"]),
      KeysWithoutEffect("how embeddings are compared, which the caller chooses", ["similarity_fn_name"]),
    ])
    try options.require("model_type", isOneOf: .string(model))
    var preparation = preparation
    if let prompts = try options.optionalObject("prompts") {
      for name in prompts.keysInOrder {
        preparation.add(prompt: try prompts.optionalString(name) ?? "", named: name)
      }
    }
    let name = try options.optionalString("default_prompt_name")
    do {
      return try preparation.prompted(by: name)
    } catch  where error.kind == .argument {
      throw options.unexpected("default_prompt_name", options.value("default_prompt_name"), "one of prompts")
    }
  }

  /// How rows become one, and whether the rows of a prompt are among them.
  static func pooling(
    _ options: ConfigurationReader
  ) throws(ApusError) -> (TextHead.Pooling, includesPrompt: Bool) {
    (try mode(options), try options.bool("include_prompt", default: true))
  }

  private static func mode(_ options: ConfigurationReader) throws(ApusError) -> TextHead.Pooling {
    options.passOver([
      KeysWithoutEffect(
        "the features of a row, as the weights have them",
        ["word_embedding_dimension", "embedding_dimension"])
    ])
    let stated = options.keys.filter { $0.hasPrefix("pooling_mode_") }
    if options.has("pooling_mode") {
      options.passOver([KeysWithoutEffect("pooling_mode wins", Set(stated.map { ExactText($0) }))])
      if case .array(let list)? = options.value("pooling_mode"), list.count == 1 {
        return try mode(list[0].string, options)
      }
      return try options.choice("pooling_mode", ["mean": .mean, "cls": .first, "lasttoken": .last])
    }
    var modes: [String] = []
    for key in stated {
      if try options.bool(key, default: false) { modes.append(String(key.dropFirst("pooling_mode_".count))) }
    }
    switch modes {
    // Where nothing is chosen the library takes the mean.
    case [], ["mean_tokens"]: return .mean
    case ["cls_token"]: return .first
    case ["lasttoken"]: return .last
    default:
      throw ApusError(
        .unsupportedModel, "pooling by \(modes.joined(separator: " and ").clipped)",
        expected: "mean_tokens, cls_token or lasttoken", file: options.file)
    }
  }

  private static func mode(
    _ name: String?, _ options: ConfigurationReader
  ) throws(ApusError) -> TextHead.Pooling {
    guard let mode = name.flatMap(TextHead.Pooling.init) else {
      throw options.unexpected(
        "pooling_mode", options.value("pooling_mode"), "mean, cls or lasttoken", kind: .unsupportedModel)
    }
    return mode
  }
}

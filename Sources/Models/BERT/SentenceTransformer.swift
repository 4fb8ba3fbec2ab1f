import Formats
import TensorCore

/// The modules of a model of sentence-transformers: what follows the encoder.
struct SentenceTransformer: Sendable {
  enum Pooling: String, Sendable { case mean, cls }

  /// A model without modules, as sentence-transformers would treat it.
  private(set) var pooling = Pooling.mean
  private(set) var normalizes = false
  private(set) var maximumTokens: Int?
  private(set) var preparation = TextPreparation()

  init(_ folder: ModelFolder) throws(ApusError) {
    for module in try Self.modules(folder) {
      switch module.type {
      case "Transformer": try readTransformer(folder)
      case "Pooling": pooling = try Self.pooling(folder, module.path)
      case "Normalize": normalizes = true
      default:
        throw ApusError(
          .unsupportedModel, "the module \(module.type.clipped)",
          expected: "Transformer, Pooling or Normalize",
          file: folder.file("modules.json"))
      }
    }
    if let options = try folder.optionalConfiguration("config_sentence_transformers.json"),
      let name = try options.optionalString("default_prompt_name")
    {
      preparation.prompt = try options.object("prompts").string(name)
    }
  }

  private mutating func readTransformer(_ folder: ModelFolder) throws(ApusError) {
    guard let options = try folder.optionalConfiguration("sentence_bert_config.json") else { return }
    maximumTokens = try options.optionalInteger("max_seq_length", in: 1...ConfigurationReader.sizeLimit)
    preparation.lowercases = try options.bool("do_lower_case", default: false)
  }

  /// The modules' last names and folders, in order; none when the folder does not say.
  private static func modules(_ folder: ModelFolder) throws(ApusError) -> [(type: String, path: String)] {
    guard let file = folder.file("modules.json") else { return [] }
    let wrong = ApusError(
      .configuration, "is no list of modules with a type and a folder inside the model's", file: file)
    let value: JSONValue
    do {
      value = try JSONParser.parse(try FileBytes.read(file, limit: 1 << 20)[...])
    } catch {
      throw error.inFile(file)
    }
    guard case .array(let list) = value else { throw wrong }
    var modules: [(type: String, path: String)] = []
    for module in list {
      guard let type = module["type"]?.string, let path = module["path"]?.string,
        !path.split(separator: "/").contains("..")
      else { throw wrong }
      modules.append((type.split(separator: ".").last.map(String.init) ?? type, path))
    }
    return modules
  }

  private static func pooling(_ folder: ModelFolder, _ path: String) throws(ApusError) -> Pooling {
    let options = try folder.configuration(path.isEmpty ? "config.json" : "\(path)/config.json")
    if options.has("pooling_mode") {
      return try options.choice("pooling_mode", ["mean": .mean, "cls": .cls])
    }
    var modes: [String] = []
    for key in options.keys where key.hasPrefix("pooling_mode_") {
      if try options.bool(key) { modes.append(String(key.dropFirst("pooling_mode_".count))) }
    }
    switch modes {
    case ["mean_tokens"]: return .mean
    case ["cls_token"]: return .cls
    default:
      throw ApusError(
        .unsupportedModel, "pooling by \(modes.joined(separator: " and ").clipped)",
        expected: "mean_tokens or cls_token", file: options.file)
    }
  }
}

import Formats
import TensorCore

/// The folders of the modules in `modules.json`, each nil where there is none.
struct SentenceTransformerModules: Sendable {
  /// Which modules there may be.
  enum Form: Sendable {
    /// The features of tokens, pooled.
    case tokens
    /// The embeddings that a model with towers gives itself.
    case towers

    fileprivate var lists: [String] {
      switch self {
      case .tokens: ["Transformer Pooling", "Transformer Pooling Normalize"]
      case .towers: ["Transformer", "Transformer Normalize", "CLIPModel", "CLIPModel Normalize"]
      }
    }

    fileprivate var expected: String {
      switch self {
      case .tokens: "Transformer, Pooling and, it may be, Normalize"
      case .towers: "Transformer and, it may be, Normalize"
      }
    }
  }

  private(set) var transformer: String?
  private(set) var pooling: String?
  private(set) var normalization: String?
  /// Whether the first is the older module for models of CLIP, which states no methods.
  private(set) var isCLIPModel = false

  init(_ folder: ModelFolder, _ form: Form = .tokens) throws(ApusError) {
    guard let file = folder.file("modules.json") else { return }
    let modules = try ModuleList(contentsOf: file).modules
    let names = modules.map(\.type)
    guard form.lists.contains(names.joined(separator: " ")), let first = modules.first else {
      throw ApusError(
        .unsupportedModel, "the modules \(names.joined(separator: ", ").clipped)",
        expected: form.expected, file: file)
    }
    transformer = first.path
    isCLIPModel = first.type == "CLIPModel"
    pooling = modules.first { $0.type == "Pooling" }?.path
    normalization = modules.first { $0.type == "Normalize" }?.path
  }

  /// The path of a file of a module.
  func file(_ name: String, _ path: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }

  /// Whether embeddings are put to length 1.
  /// - Parameter outer: the folder of the list.
  func normalizes(_ outer: ModelFolder) throws(ApusError) -> Bool {
    guard let normalization else { return false }
    try outer.readingIfPresent(file("config.json", normalization)) { (options) throws(ApusError) in
      for key in ["module_input_name", "module_output_name"] {
        try options.require(key, isOneOf: .string("sentence_embedding"))
      }
    }
    return true
  }
}

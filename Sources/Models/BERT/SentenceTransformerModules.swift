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

    /// What comes before the steps that embeddings go through.
    fileprivate var beginnings: [[String]] {
      switch self {
      case .tokens: [["Transformer", "Pooling"]]
      case .towers: [["Transformer"], ["CLIPModel"]]
      }
    }

    /// What may come behind, once the last of it is past those before it.
    fileprivate var steps: [Set<String>] {
      switch self {
      case .tokens: [["Dense", "Dropout"], ["Normalize", "Dropout"]]
      case .towers: [["Normalize", "Dropout"]]
      }
    }

    /// Whether modules are steps in that order.
    fileprivate func allows(_ names: ArraySlice<String>) -> Bool {
      var rest = names
      for kinds in steps { rest = rest.drop { kinds.contains($0) } }
      return rest.isEmpty
    }

    fileprivate var expected: String {
      switch self {
      case .tokens: "Transformer, Pooling and, it may be, Dense and Normalize"
      case .towers: "Transformer and, it may be, Normalize"
      }
    }
  }

  private(set) var transformer: String?
  private(set) var pooling: String?
  /// Linear layers behind pooling, in order.
  private(set) var dense: [String] = []
  private var normalizations: [String] = []
  /// Steps that do nothing outside training.
  private var dropouts: [String] = []
  /// Whether the first is the older module for models of CLIP, which states no methods.
  private(set) var isCLIPModel = false

  init(_ folder: ModelFolder, _ form: Form = .tokens) throws(ApusError) {
    guard let file = folder.file("modules.json") else { return }
    let modules = try ModuleList(contentsOf: file).modules
    let names = modules.map(\.type)
    guard let beginning = form.beginnings.first(where: { names.starts(with: $0) }),
      let first = modules.first,
      form.allows(names.dropFirst(beginning.count))
    else {
      throw ApusError(
        .unsupportedModel, "the modules \(names.joined(separator: ", ").clipped)",
        expected: form.expected, file: file)
    }
    transformer = first.path
    isCLIPModel = first.type == "CLIPModel"
    pooling = modules.first { $0.type == "Pooling" }?.path
    dense = modules.filter { $0.type == "Dense" }.map(\.path)
    normalizations = modules.filter { $0.type == "Normalize" }.map(\.path)
    dropouts = modules.filter { $0.type == "Dropout" }.map(\.path)
  }

  /// The path of a file of a module.
  func file(_ name: String, _ path: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }

  /// Whether embeddings are put to length 1.
  /// - Parameter outer: the folder of the list.
  func normalizes(_ outer: ModelFolder) throws(ApusError) -> Bool {
    for path in normalizations {
      try outer.readingIfPresent(file("config.json", path)) { (options) throws(ApusError) in
        for key in ["module_input_name", "module_output_name"] {
          try options.require(key, isOneOf: .string("sentence_embedding"))
        }
      }
    }
    for path in dropouts {
      try outer.readingIfPresent(file("config.json", path)) { (options) throws(ApusError) in
        options.passOver([KeysWithoutEffect("training", ["dropout"])])
      }
    }
    return !normalizations.isEmpty
  }
}

import Formats
import Graph
import Images
import Models
import TensorCore
import Text

/// A model folder whose configuration was read.
struct LoadedFolder {
  let folder: ModelFolder
  let architecture: ModelArchitecture

  var path: String { folder.path }

  /// The options for all graphs of the model, which share their packed weights through them.
  func options(_ inference: InferenceOptions) -> ModelOptions {
    var options = ModelOptions(inference)
    let store = PackedWeightStore(cache: PackedWeightCache(model: path, options: options.compile))
    options.packedWeights = store
    CacheWriting.schedule(store)
    return options
  }

  /// How pictures are prepared: as asked, or else as the folder says.
  /// - Throws: ``ApusError`` of kind `configuration` when the folder does not say, or says it for pictures of
  ///   another size than the model takes.
  func profile(
    _ requested: PreprocessingProfile?, for tower: any ImageTower
  ) throws(ApusError) -> PreprocessingProfile {
    if let requested { return requested }
    return try naming(path) { () throws(ApusError) in
      guard let processor = try ImageProcessor.find(in: folder) else {
        throw ApusError(
          .configuration, "nothing says how pictures are prepared", expected: "a preprocessor_config.json",
          advice: "Name a profile: \(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).")
      }
      let size = ImageSize(height: processor.size.height, width: processor.size.width)
      guard size == tower.imageSize else {
        throw ApusError(
          .configuration, "pictures are prepared at \(size)",
          expected: "\(tower.imageSize), which the model takes")
      }
      return processor.profile
    }
  }

  /// The network for one picture of the model in a folder, before any pass.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not for pictures.
  static func imageGraph(_ path: String) throws(ApusError) -> Graph {
    var loading = FolderLoading(path)
    let loaded = try loading.open()
    return try naming(loaded.path) { () throws(ApusError) in
      switch loaded.architecture {
      case .imageClassifier(let model): try model.tower.graph(batch: 1)
      case .dualEncoder(let model): try model.image.graph(batch: 1)
      default: throw loaded.refusal("one for pictures")
      }
    }
  }

  /// The error of a model that is for something else.
  func refusal(_ expected: String) -> ApusError {
    ApusError(
      .unsupportedModel, "the model is \(architecture.description)", expected: expected, file: path)
  }
}

extension ModelArchitecture {
  /// What the model is, in a few words.
  var description: String {
    switch self {
    case .imageClassifier: "an image classifier"
    case .textClassifier: "a text classifier"
    case .textEncoder: "a text encoder"
    case .dualEncoder: "an image and a text tower"
    }
  }
}

/// Loads the parts of a model folder and measures each.
struct FolderLoading {
  private let name: String
  private(set) var milliseconds = LoadMilliseconds()
  private var watch = Stopwatch()

  /// - Parameter name: a folder, or the name of a repository in the local cache.
  init(_ name: String) { self.name = name }

  mutating func open() throws(ApusError) -> LoadedFolder {
    let folder = try ModelFolder(name)
    let architecture = try naming(folder.path) { () throws(ApusError) in
      try ModelArchitecture.load(folder)
    }
    milliseconds.open += watch.lap()
    return LoadedFolder(folder: folder, architecture: architecture)
  }

  mutating func tokenizer(_ loaded: LoadedFolder) throws(ApusError) -> Tokenizer {
    defer { milliseconds.tokenizer += watch.lap() }
    return try Tokenizer(contentsOf: loaded.path)
  }

  mutating func compile<Result>(_ body: () throws(ApusError) -> Result) throws(ApusError) -> Result {
    _ = watch.lap()
    defer { milliseconds.compile += watch.lap() }
    return try body()
  }
}

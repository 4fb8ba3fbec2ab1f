import Formats
import Graph
import Images
import Models
import TensorCore
import Text

/// A folder with weights in safetensors or checkpoints of PyTorch, and what says of which network they are.
struct FolderForm: ModelForm {
  private let folder: ModelFolder
  private let weights: SafetensorsCollection
  let outputs: ModelOutputs
  let pair: Result<TowerPair, ApusError>?
  let networks: [Network]
  let preparation: Preparation

  init(_ folder: ModelFolder) throws(ApusError) {
    self.folder = folder
    weights = try folder.weights()
    let weights = weights
    let architecture = try naming(folder.path) { () throws(ApusError) in
      try Self.architecture(of: folder) { (size) throws(ApusError) in
        try ModelArchitecture.load(folder, weights, imageSize: size)
      }
    }
    outputs = architecture.outputs
    pair = architecture.pair
    networks = Self.networks(architecture, path: folder.path)
    preparation = Self.preparation(folder, architecture)
  }

  static func networks(_ architecture: ModelArchitecture, path: String) -> [Network] {
    [
      architecture.image.map { Network(.image, ImageNetwork(tower: $0), path: path) },
      architecture.text.map { Network(.text, TextNetwork(tower: $0), path: path) },
    ].compactMap(\.self)
  }

  static func preparation(_ folder: ModelFolder, _ architecture: ModelArchitecture) -> Preparation {
    Preparation(
      path: folder.path, texts: architecture.textPreparation, notes: architecture.notes,
      companions: CompanionFiles(in: folder.path)
    ) { (input) throws(ApusError) in try ImageProcessor.profile(in: folder, for: input) }
  }

  /// The networks of a folder; of one that takes any pictures, for those that its image processor makes.
  /// - Parameter load: for pictures of a size, or of that which the configuration states.
  static func architecture(
    of folder: ModelFolder, load: (ImageSize?) throws(ApusError) -> ModelArchitecture
  ) throws(ApusError) -> ModelArchitecture {
    let architecture = try load(nil)
    guard let tower = architecture.image, tower.takesAnyImageSize,
      let prepared = try ImageProcessor.find(in: folder)?.size
    else { return architecture }
    let size = ImageSize(height: prepared.height, width: prepared.width)
    guard size != tower.imageSize else { return architecture }
    do throws(ApusError) {
      return try load(size)
    } catch {
      var refusal = error
      refusal.advice =
        error.advice ?? "The configuration of its image processor makes pictures of \(size) pixels."
      throw refusal
    }
  }

  var name: String { "folder" }
  var path: String { folder.path }
  var outerPath: String { folder.outer.path }
  var byteCount: Int { weights.byteCount }
  var description: String { kind }
  var tensors: (folder: ModelFolder, weights: SafetensorsCollection)? { (folder, weights) }

  /// SetFit saves what tells the classes as a pickle.
  var unreadClasses: String? {
    ["model_head.pkl", "config_setfit.json"].first { folder.outer.file($0) != nil }.map {
      "SetFit saves what tells the classes as a pickle (\($0) is there), which would run code when loaded and is not read."
    }
  }

  func weightSizes() -> [(type: String, byteCount: Int)] {
    weights.names.compactMap { weights[$0] }.map {
      (
        PackedWeight.typeName($0, in: weights) ?? $0.type.dataType?.rawValue ?? $0.type.rawValue,
        $0.bytes.count
      )
    }
  }

  func settings() -> [ConfigurationRecord.Setting] {
    let record = ConfigurationRecord()
    let recorded = folder.recording(in: record)
    // What cannot be read is refused where it is needed; here it has nothing to compare.
    _ = try? ModelArchitecture.load(recorded, weights)
    _ = try? ImageProcessor.find(in: recorded)
    _ = try? Tokenizer(folder: recorded)
    return record.settings
  }

  func network(for part: ModelPart, readingFirst output: Int) -> Network? {
    networks.first { $0.name == part.rawValue }
  }

  /// `image` or `text`; nil where there is one of them.
  func network(named name: String?) throws(ApusError) -> Network {
    try Self.network(named: name, of: networks, path: path)
  }

  static func network(
    named name: String?, of networks: [Network], path: String
  ) throws(ApusError) -> Network {
    guard let name else {
      if networks.count == 1 { return networks[0] }
      throw ApusError(
        .argument, "the model has two towers", expected: "a choice of one", file: path,
        advice: "Name one: image or text (\(Setting.network)).")
    }
    if let network = networks.first(where: { ExactText($0.name) == ExactText(name) }) { return network }
    throw ApusError(.argument, "the model has no \(name) tower", file: path)
  }

  func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore? {
    SharedWeights.store(of: network.name, in: folder, weights, options)
  }

  func tokenizer() throws(ApusError) -> Tokenizer { try Tokenizer(folder: folder) }

  func labels(ofOutput output: Int) -> LabelFile? {
    if case .classifier(let labels, _) = outputs { labels.map { LabelFile(labels: $0) } } else { nil }
  }
}

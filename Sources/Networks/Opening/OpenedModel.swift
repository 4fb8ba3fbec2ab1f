import Formats
import Graph
import Images
import Models
import TensorCore
import Text

/// A model that was opened: its networks, what they are for, and how their inputs are prepared.
///
/// In which form a model is stored is asked here and nowhere else.
package struct OpenedModel: Sendable {
  /// What the model was read from.
  package enum Source: Sendable {
    case file(ModelFile)
    case folder(ModelFolder, SafetensorsCollection)
  }

  package let source: Source
  /// The file or folder.
  package let path: String
  /// What opens the model as it is: the same, or the folder with the list of modules that puts it into one below.
  package let outerPath: String
  package let task: ModelTask
  /// The model of which it is one tower in a folder of its own, with embeddings in the space of both, or what keeps it from
  /// being one; nil of every other.
  let pair: Result<TowerPair, ApusError>?
  /// Those that can be run, the main one of a file first; of a folder those for pictures and texts.
  package let networks: [Network]
  package let preparation: Preparation

  /// Reads what a model says of itself; its weights are only mapped.
  /// - Parameter name: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError`` with the file's name: kind `file` when there is no model, `malformedModel`,
  ///   `unsupportedModel` or `configuration` when it cannot be used.
  package init(_ name: String) throws(ApusError) {
    switch try ModelPlace(name) {
    case .file(let path): self.init(try ModelFile(path))
    case .folder(let folder): try self.init(folder)
    }
  }

  package init(_ file: ModelFile) {
    source = .file(file)
    (path, outerPath) = (file.path, file.path)
    task = .unstated
    pair = nil
    let signatures = file.description.signatures.map { Network(file, named: $0.key, signature: $0.key) }
    networks = [Network(file, named: "main")] + signatures
    preparation = Preparation(of: file)
  }

  package init(_ folder: ModelFolder) throws(ApusError) {
    let weights = try folder.weights()
    source = .folder(folder, weights)
    (path, outerPath) = (folder.path, folder.outer.path)
    let architecture = try naming(folder.path) { () throws(ApusError) in
      try Self.architecture(of: folder, weights)
    }
    task = architecture.task
    pair = architecture.pair
    networks = [
      architecture.image.map { Network(.image, ImageNetwork(tower: $0), path: folder.path) },
      architecture.text.map { Network(.text, TextNetwork(tower: $0), path: folder.path) },
    ].compactMap(\.self)
    preparation = Preparation(of: folder, texts: architecture.textPreparation, notes: architecture.notes)
  }

  /// The networks of a folder; of one that takes any pictures, for those that its image processor makes.
  private static func architecture(
    of folder: ModelFolder, _ weights: SafetensorsCollection
  ) throws(ApusError) -> ModelArchitecture {
    let architecture = try ModelArchitecture.load(folder, weights)
    guard let tower = architecture.image, tower.takesAnyImageSize,
      let prepared = try ImageProcessor.find(in: folder)?.size
    else { return architecture }
    let size = ImageSize(height: prepared.height, width: prepared.width)
    guard size != tower.imageSize else { return architecture }
    do throws(ApusError) {
      return try ModelArchitecture.load(folder, weights, imageSize: size)
    } catch {
      var refusal = error
      refusal.advice =
        error.advice ?? "The configuration of its image processor makes pictures of \(size) pixels."
      throw refusal
    }
  }

  /// How graphs of a network are compiled. Those of a folder share their packed weights, with whoever else has the
  /// network open.
  package func options(_ inference: InferenceOptions, for network: Network) -> ModelOptions {
    var options = ModelOptions(inference)
    if case .folder(let folder, let weights) = source {
      options.packedWeights = SharedWeights.store(of: network.name, in: folder, weights, options.compile)
    }
    return options
  }

  /// The tokenizer that the model was trained with.
  package func tokenizer() throws(ApusError) -> Tokenizer {
    switch source {
    case .file(let file): try file.tokenizer()
    case .folder(let folder, _): try Tokenizer(folder: folder)
    }
  }

  /// The names of the classes, the model's own before those beside it, nil when nobody says them; and why a file beside the
  /// model is passed over.
  /// - Parameter output: the position of the scores among the outputs of a file.
  /// - Throws: ``ApusError`` when what the model or a file beside it says of them is damaged.
  package func labels(
    ofOutput output: Int = 0, classCount: Int
  ) throws(ApusError) -> Noted<LabelFile?> {
    let companions = preparation.companions
    let own: LabelFile?
    switch (task, source) {
    case (.classifier(let labels, _), _): own = labels.map { LabelFile(labels: $0) }
    case (_, .file(let file)): own = try file.labels(ofOutput: output)
    default: return Noted(nil)
    }
    guard let own else { return try companions.labels(classCount: classCount) }
    let beside = try companions.labelDetails(of: own.labels)
    let details = beside.content.merging(own.details) { $1 }
    return Noted(LabelFile(labels: own.labels, details: details), beside.notes)
  }

  /// Whether the model's configuration names the classes.
  package var namesClasses: Bool {
    if case .classifier(.some, _) = task { true } else { false }
  }

  /// The positions of those outputs of a file whose elements its metadata name; none of a folder.
  package func labelledOutputs() throws(ApusError) -> [Int] {
    guard case .file(let file) = source else { return [] }
    return try file.metadata()?.labelledOutputs ?? []
  }

  /// The names that the metadata of a file give its outputs, in their order; none of a folder.
  package func outputNames() throws(ApusError) -> [String] {
    guard case .file(let file) = source else { return [] }
    return try file.metadata()?.subgraphs.first?.outputs.map(\.name) ?? []
  }

  /// What the model's own metadata make of the scores of its classes; nil when they leave them as they are.
  /// - Throws: ``ApusError`` when the calibration is damaged, or of another number of classes.
  package func scoreCalibration(
    ofOutput output: Int = 0, classCount: Int
  ) throws(ApusError) -> ScoreCalibration? {
    guard case .file(let file) = source, let calibration = try file.scoreCalibration(ofOutput: output)
    else { return nil }
    guard calibration.classCount == classCount else {
      throw ApusError(
        .malformedModel, "a score calibration of \(calibration.classCount) classes",
        expected: "\(classCount), as the model has", file: path)
    }
    return calibration
  }

  /// The score below which a class is not worth showing, by the model's own metadata; nil when they say none. Converters
  /// write 0 where nobody chose one: it hides nothing, and says nothing of what is certain.
  package func scoreThreshold(ofOutput output: Int = 0) throws(ApusError) -> Float? {
    guard case .file(let file) = source, let outputs = try file.metadata()?.subgraphs.first?.outputs,
      outputs.indices.contains(output), let threshold = outputs[output].scoreThreshold
    else { return nil }
    return threshold > 0 ? threshold : nil
  }
}

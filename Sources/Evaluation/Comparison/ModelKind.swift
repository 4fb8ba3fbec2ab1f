import Apus
import Formats
import Graph
import Models
import Networks
import TensorCore

/// What a model is for, and what it is made of, before it is loaded.
struct ModelKind: Sendable {
  /// One with classes of its own, or with two towers.
  let task: ModelTask
  /// For people: `TFLite, int8 weights`.
  let description: String
  /// Bytes of the file, or of the tensors in the folder.
  let byteCount: Int
  /// What the configuration files of a folder come to; nothing of a `.tflite` file.
  let settings: [ConfigurationRecord.Setting]
  /// The weights of a folder, only mapped; nil of a `.tflite` file.
  let weights: FolderWeights?

  /// - Throws: ``ApusError`` when the model cannot be read, or is for something else than classes.
  init(_ specification: ModelSpecification) throws(ApusError) {
    let opened: OpenedModel
    do throws(ApusError) {
      opened = try OpenedModel(specification.path, variant: specification.variant)
    } catch {
      throw specification.unknownSuffix ?? error
    }
    switch opened.outputs {
    case .dualEncoder: task = .zeroShot
    case .classifier, .unstated:
      task = try opened.network(for: .text) == nil ? .imageClassification : .textClassification
    case .encoder:
      throw ApusError(
        .unsupportedModel, "the model is \(opened.kind)",
        expected: "a classifier, or one of pictures and texts",
        file: opened.path)
    }
    byteCount = opened.form.byteCount
    settings = opened.form.settings()
    weights = try opened.form.tensors.map { (tensors) throws(ApusError) in
      try FolderWeights(tensors.folder, tensors.weights)
    }
    description = "\(opened.form.name), \(Self.weights(try opened.form.weightSizes()))"
  }

  /// The type in which most bytes of the weights are stored.
  private static func weights(_ sizes: [(type: String, byteCount: Int)]) -> String {
    let sums = Dictionary(sizes.map { ($0.type, $0.byteCount) }, uniquingKeysWith: +)
    guard let most = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return "no weights" }
    return "\(most.key) weights"
  }
}

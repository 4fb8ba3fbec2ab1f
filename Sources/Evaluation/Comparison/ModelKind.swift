import Apus
import Formats
import Graph
import Models
import TensorCore

/// What a model is for, and what it is made of, before it is loaded.
struct ModelKind: Sendable {
  enum Purpose: Sendable {
    case images
    case imagesAndTexts
    case texts
  }

  let purpose: Purpose
  /// For people: `TFLite, int8 weights`; `folder, float16 weights, computed in bfloat16`.
  let description: String
  /// Bytes of the file, or of the tensors in the folder.
  let byteCount: Int

  /// - Throws: ``ApusError`` when the model cannot be read, or is for something else than classes.
  init(_ specification: ModelSpecification) throws(ApusError) {
    switch ModelSource(specification.path) {
    case .tflite, .safetensors: try self.init(file: specification)
    case .folder: try self.init(folder: specification)
    }
  }

  private init(file specification: ModelSpecification) throws(ApusError) {
    let file = try ModelFile(specification.path)
    let graph = try file.graph(.main)
    let read = Set(graph.nodes.flatMap { $0.inputs.compactMap(\.self) })
    let weights = read.compactMap { graph[$0].constant?.type }.filter {
      $0.dataType.isFloat || $0.quantization != nil
    }
    purpose = .images
    byteCount = file.bytes.count
    description =
      "TFLite, \(Self.weights(weights.map { ($0.dataType.rawValue, $0.byteCount) }))\(Self.how(specification))"
  }

  private init(folder specification: ModelSpecification) throws(ApusError) {
    let folder = try ModelFolder(specification.path)
    let architecture = try naming(folder.path) { () throws(ApusError) in try ModelArchitecture.load(folder) }
    switch architecture {
    case .imageClassifier: purpose = .images
    case .dualEncoder: purpose = .imagesAndTexts
    case .textClassifier: purpose = .texts
    case .textEncoder:
      throw ApusError(
        .unsupportedModel, "the model is a text encoder",
        expected: "a classifier, or one of pictures and texts",
        file: folder.path)
    }
    let weights = try folder.weights()
    byteCount = weights.byteCount
    let entries = weights.names.compactMap { weights[$0] }
    let sizes = entries.map { ($0.type.dataType?.rawValue ?? $0.type.rawValue, $0.bytes.count) }
    description = "folder, \(Self.weights(sizes))\(Self.how(specification))"
  }

  /// The type in which most bytes of the weights are stored.
  private static func weights(_ sizes: [(type: String, byteCount: Int)]) -> String {
    let sums = Dictionary(sizes.map { ($0.type, $0.byteCount) }, uniquingKeysWith: +)
    guard let most = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return "no weights" }
    return "\(most.key) weights"
  }

  private static func how(_ specification: ModelSpecification) -> String {
    let precision =
      switch specification.precision {
      case .float32: ""
      case .bfloat16: ", computed in bfloat16"
      case .int8: ", computed in int8"
      }
    return precision + (specification.instructionSet.map { ", on \($0)" } ?? "")
  }
}

import Formats
import TensorCore

/// A kind of model that transformers knows by name, and how its `config.json` becomes networks.
package struct HuggingFaceArchitecture: Sendable {
  /// Makes the networks of a model whose configuration is read.
  typealias Networks = @Sendable (WeightPath, ModelFolder) throws(ApusError) -> ModelArchitecture
  typealias Reading = @Sendable (ConfigurationReader, ImageSize?) throws(ApusError) -> Networks

  /// What stands under `architectures` in `config.json`, such as `ViTForImageClassification`.
  package let name: String
  /// What stands under `model_type`, where anything does.
  package let modelType: String
  /// What people call it; architectures of one family read the same keys, but for those of classes.
  package let family: String
  package let use: ModelTask
  /// What others of the same name are for, as the files beside their configuration say.
  package let otherUse: ModelTask?
  /// The objects that `config.json` cannot be without.
  let sample: String
  /// Reads the configuration, for pictures of its own extent or of a given one.
  let read: Reading

  init(
    _ name: String, _ modelType: String, _ family: String, _ use: ModelTask, also otherUse: ModelTask? = nil,
    sample: String = "{}",
    read: @escaping Reading
  ) {
    self.name = name
    self.modelType = modelType
    self.family = family
    self.use = use
    self.otherUse = otherUse
    self.sample = sample
    self.read = read
  }

  /// Every one that Apus runs.
  package static let all: [HuggingFaceArchitecture] = [
    vit, beit, swin, convNeXt, resNet, mobileNetV2, dinoV2, clip, sigLIP, bert, modernBERT, deBERTa,
    qwen3, [gemma3], rotaryBERT,
  ].flatMap(\.self)

  /// The first of each family.
  static let families = all.reduce(into: [HuggingFaceArchitecture]()) { first, architecture in
    if !first.contains(where: { $0.family == architecture.family }) { first.append(architecture) }
  }

  /// The families of which one is used in one of these ways, as a sentence lists them: "ViT, DeiT or ConvNeXt".
  package static func familyNames(_ uses: ModelTask...) -> String {
    let names = families.map(\.family).filter { family in
      all.contains { $0.family == family && uses.contains($0.use) }
    }
    return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
  }

  /// The networks of the folder whose `config.json` is read.
  static func networks(
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let architecture = try stated(reader)
    let networks = try architecture.networks(reader, imageSize)
    return try networks(weights.stored(in: try reader.compressedForms()), folder)
  }

  /// Reads all that `config.json` says.
  func networks(_ reader: ConfigurationReader, _ imageSize: ImageSize?) throws(ApusError) -> Networks {
    try reader.require("model_type", isOneOf: .string(ExactText(modelType)))
    try reader.passOverCommonKeys(withoutClasses: !use.isClassification)
    return try read(reader, imageSize)
  }

  private static func stated(_ reader: ConfigurationReader) throws(ApusError) -> HuggingFaceArchitecture {
    let names = try reader.optionalList("architectures", of: "names") { $0.string }
    if names?.isEmpty ?? true, let encoder = try encoder(reader) { return encoder }
    guard let name = names?.first, names?.count == 1 else {
      throw reader.unexpected(
        "architectures", reader.value("architectures"),
        "a list of one name, such as ViTForImageClassification")
    }
    guard let architecture = all.first(where: { $0.name == name }) else {
      throw ModelArchitecture.unsupported(name, at: "architectures")
    }
    return architecture
  }

  /// What the library's `AutoModel` takes a file for that names no architecture, as published encoders of texts have it:
  /// the model of that type without classes.
  private static func encoder(_ reader: ConfigurationReader) throws(ApusError) -> HuggingFaceArchitecture? {
    let type = try reader.optionalString("model_type")
    return all.first { $0.modelType == type && $0.name.hasSuffix("Model") }
  }
}

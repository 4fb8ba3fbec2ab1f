import Formats
import TensorCore

/// The networks of the model in a folder, and what they are for.
package struct ModelArchitecture: Sendable {
  /// The network for pictures; nil of a model without one.
  package var image: (any ImageTower)?
  /// The network for texts; nil of a model without one.
  package var text: (any TextTower)?
  package let outputs: ModelOutputs
  /// What is done to texts before they are tokenized.
  package var textPreparation = TextPreparation()
  /// The model of which it is one tower in a folder of its own, with embeddings in the space of both, or what keeps it from
  /// being one; nil of every other.
  package var pair: Result<TowerPair, ApusError>?
  /// What people should know of how the configuration was read.
  package var notes: [String] = []

  /// What timm's names of MobileNetV2 begin with.
  static let timmPrefix = "mobilenetv2_"
  /// What torchvision calls its only one.
  static let torchvisionName = "mobilenet_v2"

  /// Finds out which architecture a folder holds, and reads its configuration. Weights are only mapped, and looked
  /// at when a graph is built.
  ///
  /// - Parameters:
  ///   - weights: those of the folder, where the caller has mapped them already.
  ///   - imageSize: the extent of the pictures that will be given, when it is not the one that the
  ///     configuration states. Position embeddings are then interpolated as transformers does for
  ///     `interpolate_pos_encoding`; without that, transformers takes no other extent than its own, but for DINOv2.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names what was found and what there is, or what the
  ///   configuration asks for that is not implemented.
  package static func load(
    _ folder: ModelFolder, _ weights: SafetensorsCollection? = nil, imageSize: ImageSize? = nil
  ) throws(ApusError) -> ModelArchitecture {
    let weights = WeightPath(try mapped(weights, folder))
    let isOpenCLIP = try folder.isOpenCLIP()
    let name = isOpenCLIP ? ModelFolder.openCLIPFile : "config.json"
    guard folder.file(name) != nil else { return try withoutConfiguration(folder, weights, imageSize) }
    return try folder.reading(name) { (reader) throws(ApusError) in
      try load(reader, folder, weights, isOpenCLIP: isOpenCLIP, imageSize)
    }
  }

  private static func load(
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath, isOpenCLIP: Bool,
    _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    do {
      if isOpenCLIP { return try openCLIP(reader, weights, imageSize) }
      if let name = try reader.optionalString("architecture") {
        return try timm(name, reader, weights.explaining(reader.sizes), imageSize)
      }
      let weights = weights.explaining(reader.sizes)
      var architecture = try HuggingFaceArchitecture.networks(reader, folder, weights, imageSize)
      architecture.notes = reader.notesOnEmptyKeys()
      return architecture
    } catch {
      throw error.inFile(reader.file)
    }
  }

  private static func mapped(
    _ weights: SafetensorsCollection?, _ folder: ModelFolder
  ) throws(ApusError) -> SafetensorsCollection {
    if let weights { weights } else { try folder.weights() }
  }

  private static func openCLIP(
    _ reader: ConfigurationReader, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let configuration = try CLIPConfiguration(
      openCLIP: reader, text: weights.hasTensors(below: "text") ? "text" : "")
    try configuration.requireEveryStoredLayer(of: weights, file: reader.file)
    let trained = configuration.image.trained.image
    guard imageSize == nil || imageSize == trained else {
      throw ApusError(
        .argument, "pictures of another size for a model of OpenCLIP", expected: "\(trained)",
        file: reader.file)
    }
    return try .clip(configuration, weights, bias: try weights.scalarIfPresent("logit_bias"))
  }

  private static func timm(
    _ name: String, _ reader: ConfigurationReader, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    if name == torchvisionName {
      return try .torchvisionMobileNetV2(weights, describedBy: reader, imageSize: imageSize)
    }
    if name.hasPrefix(timmPrefix) { return try .timmMobileNetV2(reader, weights, imageSize: imageSize) }
    // What stands behind a point says where the weights are from.
    let network = name.prefix { $0 != "." }
    if let model = TimmEfficientNet.all.first(where: { $0.name == network }) {
      return try .timmEfficientNet(model, TimmConfiguration(reader), weights, imageSize: imageSize)
    }
    if let design = TimmViTDesign.named(String(network)) {
      let configuration = try TimmViTConfiguration(
        reader, design, named: String(network), imageSize: imageSize)
      return try .timmViT(configuration, weights)
    }
    guard let model = TimmResNet.all.first(where: { $0.name == network }) else {
      throw unsupported(name, at: "architecture")
    }
    return try .timmResNet(model, TimmConfiguration(reader), weights, imageSize: imageSize)
  }

  private static func withoutConfiguration(
    _ folder: ModelFolder, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    guard weights.contains("features.0.0.weight"), weights.contains("features.18.0.weight") else {
      try folder.requireModelModule()
      throw ApusError(
        .configuration, "has no config.json and no \(ModelFolder.openCLIPFile)",
        expected: "one of them, or the weights of torchvision's \(torchvisionName)", file: folder.path)
    }
    return try .torchvisionMobileNetV2(weights, imageSize: imageSize)
  }

  static func unsupported(_ name: String, at key: String) -> ApusError {
    let families = HuggingFaceArchitecture.familyNames(.imageClassification, .zeroShot, .textClassification)
    return ApusError(
      .unsupportedModel, "the architecture \(name.clipped)", expected: families, at: key,
      advice: "\(Doing.listModels) names every architecture.")
  }
}

extension ConfigurationReader {
  /// The sizes that it states, for errors about tensors of other shapes.
  fileprivate var sizes: String {
    let keys = [
      "hidden_size", "dim", "embed_dim", "embedding_size", "intermediate_size", "num_hidden_layers",
      "vocab_size",
      "image_size",
    ]
    let found = keys.compactMap { key in stated(key)?.int.map { "\(key) \($0)" } }
    return found.isEmpty ? "" : "\(file) says \(found.joined(separator: ", "))."
  }
}

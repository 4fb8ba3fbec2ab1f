import Formats
import TensorCore

/// What the model in a folder is for, with the networks that do it.
package enum ModelArchitecture: Sendable {
  case imageClassifier(ImageClassifierModel)
  case textClassifier(TextClassifierModel)
  case textEncoder(TextEncoderModel)
  case dualEncoder(DualEncoder)

  /// Finds out which architecture a folder holds, and reads its configuration. Weights are only mapped, and looked
  /// at when a graph is built.
  ///
  /// - Parameter imageSize: the extent of the pictures that will be given, when it is not the one that the
  ///   configuration states. Position embeddings are then interpolated as transformers does for
  ///   `interpolate_pos_encoding`; without that, transformers takes no other extent than its own.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names what was found and what there is, or what the
  ///   configuration asks for that is not implemented.
  package static func load(
    _ folder: ModelFolder, imageSize: ImageSize? = nil
  ) throws(ApusError) -> ModelArchitecture {
    let isOpenCLIP = folder.file("open_clip_config.json") != nil
    let name = isOpenCLIP ? "open_clip_config.json" : "config.json"
    guard let reader = try folder.optionalConfiguration(name) else {
      return try withoutConfiguration(folder, imageSize)
    }
    do {
      if isOpenCLIP { return try openCLIP(reader, folder, imageSize) }
      let weights = WeightPath(try folder.weights()).explaining(reader.sizes)
      if let name = try reader.optionalString("architecture") {
        return .imageClassifier(try timm(name, reader, weights, imageSize))
      }
      return try huggingFace(reader, folder, weights, imageSize)
    } catch {
      throw error.inFile(reader.file)
    }
  }

  private static func openCLIP(
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let weights = WeightPath(try folder.weights())
    let configuration = try CLIPConfiguration(openCLIP: reader, weights)
    let trained = configuration.image.trained.image
    guard imageSize == nil || imageSize == trained else {
      throw ApusError(
        .argument, "pictures of another size for a model of OpenCLIP", expected: "\(trained)",
        file: reader.file)
    }
    return .dualEncoder(try .clip(configuration, weights))
  }

  private static func timm(
    _ name: String, _ reader: ConfigurationReader, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ImageClassifierModel {
    if name == "mobilenet_v2" { return try .torchvisionMobileNetV2(weights, imageSize: imageSize) }
    guard name.hasPrefix("mobilenetv2_") else { throw unsupported(name, at: "architecture") }
    return try .timmMobileNetV2(reader, weights, imageSize: imageSize)
  }

  private static func withoutConfiguration(
    _ folder: ModelFolder, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let weights = WeightPath(try folder.weights())
    guard weights.contains("features.0.0.weight"), weights.contains("features.18.0.weight") else {
      throw ApusError(
        .configuration, "has no config.json and no open_clip_config.json",
        expected: "one of them, or the weights of torchvision's mobilenet_v2", file: folder.path)
    }
    return .imageClassifier(try .torchvisionMobileNetV2(weights, imageSize: imageSize))
  }

  /// The architectures, for errors.
  private static let supported = """
    ViT, DeiT and MobileNetV2 classifiers, CLIP, SigLIP, and BERT, DistilBERT, RoBERTa and XLM-RoBERTa as \
    sequence classifiers or encoders
    """

  static func unsupported(_ name: String, at key: String) -> ApusError {
    ApusError(.unsupportedModel, "the architecture \(name.clipped)", expected: supported, at: key)
  }
}

extension ConfigurationReader {
  /// The sizes that it states, for errors about tensors of other shapes.
  fileprivate var sizes: String {
    let keys = ["hidden_size", "dim", "intermediate_size", "num_hidden_layers", "vocab_size", "image_size"]
    let stated = keys.compactMap { key in value(key)?.int.map { "\(key) \($0)" } }
    return stated.isEmpty ? "" : "\(file) says \(stated.joined(separator: ", "))."
  }
}

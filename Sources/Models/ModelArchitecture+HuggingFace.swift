import Formats
import TensorCore

extension ModelArchitecture {
  /// A model by the name that its `config.json` gives under `architectures`.
  static func huggingFace(
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let name = try architecture(reader)
    if let (family, head) = ViTConfiguration.architectures.first(where: { $0.key == name })?.value {
      let configuration = try ViTConfiguration(reader, family: family, head: head, imageSize: imageSize)
      return .imageClassifier(
        ImageClassifierModel(
          tower: ViT(configuration: configuration, weights: weights), labels: configuration.classes.labels,
          scoring: configuration.classes.scoring))
    }
    switch name {
    case "MobileNetV2ForImageClassification":
      return .imageClassifier(try .mobileNetV2(reader, weights, imageSize: imageSize))
    case "CLIPModel":
      return .dualEncoder(try .clip(CLIPConfiguration(reader, imageSize: imageSize), weights))
    case "SiglipModel":
      return .dualEncoder(try .sigLIP(SigLIPConfiguration(reader, imageSize: imageSize), weights))
    default: break
    }
    for (prefix, family) in textFamilies where name.hasPrefix(prefix) {
      return try text(name, without: prefix, family, reader, folder, weights)
    }
    throw unsupported(name, at: "architectures")
  }

  private static let textFamilies: KeyValuePairs<String, BERTConfiguration.Family> = [
    "Bert": .bert, "DistilBert": .distilbert, "Roberta": .roberta, "XLMRoberta": .roberta,
  ]

  private static func text(
    _ name: String, without prefix: String, _ family: BERTConfiguration.Family,
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath
  ) throws(ApusError) -> ModelArchitecture {
    let configuration = try BERTConfiguration(reader, family)
    switch name.dropFirst(prefix.count) {
    case "ForSequenceClassification":
      let classes = try ClassConfiguration(reader)
      return .textClassifier(
        TextClassifierModel(
          tower: BERT(configuration, .classes(classes.count), weights), labels: classes.labels,
          scoring: classes.scoring))
    case "Model", "ForMaskedLM":
      let modules = try SentenceTransformer(folder)
      let tower = BERT(
        configuration, modules.pooling == .mean ? .mean : .first, weights,
        maximumTokens: modules.maximumTokens)
      return .textEncoder(
        TextEncoderModel(
          tower: tower, pooling: modules.pooling.rawValue, normalizes: modules.normalizes,
          prompt: modules.prompt, lowercases: modules.lowercases))
    default: throw unsupported(name, at: "architectures")
    }
  }

  private static func architecture(_ reader: ConfigurationReader) throws(ApusError) -> String {
    let names = try reader.optionalList("architectures", of: "names") { $0.string } ?? []
    guard let name = names.first, names.count == 1 else {
      throw reader.unexpected(
        "architectures", reader.value("architectures"),
        "a list of one name, such as ViTForImageClassification")
    }
    return name
  }
}

import Formats
import TensorCore

extension ModelArchitecture {
  /// A model by the name that its `config.json` gives under `architectures`.
  static func huggingFace(
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath, _ imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let name = try architecture(reader)
    let isClassifier = name.contains("ForImageClassification") || name.hasSuffix("ForSequenceClassification")
    try reader.passOverCommonKeys(withoutClasses: !isClassifier)
    if let (family, head) = ViTConfiguration.architectures.first(where: { $0.key == name })?.value {
      try reader.require("model_type", isOneOf: .string(family))
      let configuration = try ViTConfiguration(reader, family: family, head: head, imageSize: imageSize)
      return ModelArchitecture(
        image: ViT(configuration: configuration, weights: weights), task: configuration.classes.task)
    }
    switch name {
    case "MobileNetV2ForImageClassification":
      try reader.require("model_type", isOneOf: .string("mobilenet_v2"))
      return try .mobileNetV2(reader, weights, imageSize: imageSize)
    case "ConvNextForImageClassification":
      try reader.require("model_type", isOneOf: .string("convnext"))
      let configuration = try ConvNeXtConfiguration(reader, imageSize: imageSize)
      return ModelArchitecture(
        image: ConvNeXt(configuration: configuration, weights: weights), task: configuration.classes.task)
    case "CLIPModel":
      try reader.require("model_type", isOneOf: .string("clip"))
      return try .clip(CLIPConfiguration(reader, imageSize: imageSize), weights)
    case "CLIPVisionModel", "CLIPVisionModelWithProjection", "CLIPTextModel", "CLIPTextModelWithProjection":
      return try .clipTower(name, reader, weights, imageSize: imageSize)
    case "SiglipModel":
      try reader.require("model_type", isOneOf: .string("siglip"))
      return try .sigLIP(SigLIPConfiguration(reader, imageSize: imageSize), weights)
    case "SiglipVisionModel":
      try reader.require("model_type", isOneOf: .string("siglip_vision_model"))
      let configuration = try SigLIPConfiguration.Image(reader, imageSize: imageSize)
      return ModelArchitecture(
        image: SigLIPImageTower(
          configuration: configuration, weights: weights.descending(ifPresent: "vision_model")),
        task: .encoder(normalizes: true))
    case "SiglipTextModel":
      try reader.require("model_type", isOneOf: .string("siglip_text_model"))
      let tower = SigLIPTextTower(
        configuration: try SigLIPConfiguration.Text(reader),
        weights: weights.descending(ifPresent: "text_model"))
      return ModelArchitecture(text: tower, task: .encoder(normalizes: true))
    default: break
    }
    for (prefix, (modelType, family)) in textFamilies where name.hasPrefix(prefix) {
      try reader.require("model_type", isOneOf: .string(modelType))
      return try text(name, without: prefix, family, reader, folder, weights)
    }
    throw unsupported(name, at: "architectures")
  }

  private static let textFamilies: KeyValuePairs<String, (modelType: String, BERTConfiguration.Family)> = [
    "Bert": ("bert", .bert), "DistilBert": ("distilbert", .distilbert), "Roberta": ("roberta", .roberta),
    "XLMRoberta": ("xlm-roberta", .roberta),
  ]

  private static func text(
    _ name: String, without prefix: String, _ family: BERTConfiguration.Family,
    _ reader: ConfigurationReader, _ folder: ModelFolder, _ weights: WeightPath
  ) throws(ApusError) -> ModelArchitecture {
    let configuration = try BERTConfiguration(reader, family)
    switch name.dropFirst(prefix.count) {
    case "ForSequenceClassification":
      let classes = try ClassConfiguration(reader)
      return ModelArchitecture(
        text: BERT(configuration, .classes(classes.count), weights), task: classes.task)
    case "Model", "ForMaskedLM":
      let modules = try SentenceTransformer(folder)
      let tower = BERT(
        configuration, modules.pooling == .mean ? .mean : .first, weights,
        maximumTokens: modules.maximumTokens)
      return ModelArchitecture(
        text: tower, task: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
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

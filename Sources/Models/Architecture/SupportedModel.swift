import Formats
import TensorCore

/// A line of what Apus runs, for lists.
package struct SupportedModel: Sendable {
  package let family: String
  /// The library that writes such models.
  package let library: String
  /// By which name or file they are known there.
  package let name: String
  package let uses: [ModelTask]

  package static let all: [SupportedModel] =
    transformers + openCLIP + mobileNetV2 + timmViT + resNet + efficientNet + files

  private static let transformers = HuggingFaceArchitecture.all.map {
    SupportedModel(
      family: $0.family, library: "transformers", name: $0.name,
      uses: [$0.use] + ($0.otherUse.map { [$0] } ?? []))
  }
  private static let openCLIP = [
    SupportedModel(family: "CLIP", library: "OpenCLIP", name: ModelFolder.openCLIPFile, uses: [.zeroShot])
  ]
  private static let mobileNetV2 = [
    SupportedModel(
      family: "MobileNetV2", library: "timm", name: "\(ModelArchitecture.timmPrefix)…",
      uses: [.imageClassification]),
    SupportedModel(
      family: "MobileNetV2", library: "torchvision", name: ModelArchitecture.torchvisionName,
      uses: [.imageClassification]),
  ]
  private static let timmViT = TimmViTDesign.all.flatMap { design in
    design.names.map {
      SupportedModel(family: design.family, library: "timm", name: $0, uses: [.imageClassification])
    }
  }
  private static let resNet = TimmResNet.all.map {
    SupportedModel(family: "ResNet", library: "timm", name: $0.name, uses: [.imageClassification])
  }
  private static let efficientNet = TimmEfficientNet.all.map {
    SupportedModel(family: $0.design.family, library: "timm", name: $0.name, uses: [.imageClassification])
  }
  private static let files = [
    SupportedModel(
      family: "any other", library: "TensorFlow Lite", name: ".tflite",
      uses: [.imageClassification, .textClassification, .imageEmbedding])
  ]
}

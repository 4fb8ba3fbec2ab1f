import Formats
import TensorCore

/// What an image processor of Hugging Face transformers does where its file is silent.
struct ImageProcessorDefaults: Sendable {
  /// The class, without "Fast".
  let className: String
  let filter: PillowFilter
  let mean: [Float]
  let std: [Float]
  /// The length of the shorter side, or of both.
  let side: Int
  /// Whether one number for a size means both sides; else it means the shorter one.
  let isSquare: Bool
  /// The side of the centre that is cut out; nil when all is kept.
  let crop: Int?
  /// Whether it is cut out where the file does not say so.
  var cropsUnasked = true
  /// Whether the class converts pictures to RGB itself, and lays what is transparent over white.
  var convertsToRGB = false
  /// Where a size under 384 means the centre that is kept: the part of the shorter side that it is. A larger size is
  /// that of the whole picture, stretched (ConvNeXt's `crop_pct`).
  var keptPart: Double?

  private static let half: [Float] = [0.5, 0.5, 0.5]
  private static let clip: (mean: [Float], std: [Float]) = (
    [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
  )

  /// The classes that Apus knows, with the `model_type`s whose files may leave out the class.
  private static let known: [(defaults: ImageProcessorDefaults, modelTypes: [String])] = [
    (
      ImageProcessorDefaults(
        className: "CLIPImageProcessor", filter: .bicubic, mean: clip.mean, std: clip.std, side: 224,
        isSquare: false, crop: 224, convertsToRGB: true),
      ["clip", "clip_vision_model"]
    ),
    (
      ImageProcessorDefaults(
        className: "SiglipImageProcessor", filter: .bicubic, mean: half, std: half, side: 224,
        isSquare: false, crop: nil, convertsToRGB: true),
      ["siglip", "siglip_vision_model"]
    ),
    (
      ImageProcessorDefaults(
        className: "ViTImageProcessor", filter: .bilinear, mean: half, std: half, side: 224, isSquare: true,
        crop: nil),
      ["vit", "swin"]
    ),
    (
      ImageProcessorDefaults(
        className: "DeiTImageProcessor", filter: .bicubic, mean: half, std: half, side: 256, isSquare: true,
        crop: 224),
      ["deit"]
    ),
    (
      ImageProcessorDefaults(
        className: "MobileNetV2ImageProcessor", filter: .bilinear, mean: half, std: half, side: 256,
        isSquare: false, crop: 224),
      ["mobilenet_v2"]
    ),
    (
      ImageProcessorDefaults(
        className: "ConvNextImageProcessor", filter: .bicubic, mean: half, std: half, side: 384,
        isSquare: false, crop: nil, keptPart: 224.0 / 256),
      ["convnext", "resnet"]
    ),
    (
      ImageProcessorDefaults(
        className: "BitImageProcessor", filter: .bicubic, mean: clip.mean, std: clip.std, side: 224,
        isSquare: false, crop: 224, convertsToRGB: true),
      ["dinov2"]
    ),
    (
      ImageProcessorDefaults(
        className: "BeitImageProcessor", filter: .bicubic, mean: half, std: half, side: 224, isSquare: true,
        crop: 224, cropsUnasked: false),
      ["beit"]
    ),
  ]

  /// The defaults of the class that the file names, or else of the model's, and whether the class is one that
  /// uses torchvision.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a class that Apus does not know.
  static func find(
    _ reader: ConfigurationReader, modelType: String?
  ) throws(ApusError) -> (ImageProcessorDefaults, usesTorchvision: Bool) {
    let names = known.map(\.defaults.className)
    let key = reader.has("image_processor_type") ? "image_processor_type" : "feature_extractor_type"
    if let stated = try reader.optionalString(key) {
      // Old files name feature extractors, which did the same.
      let isFast = stated.hasSuffix("Fast")
      var name = isFast ? String(stated.dropLast("Fast".count)) : stated
      if name.hasSuffix("FeatureExtractor") {
        name = name.dropLast("FeatureExtractor".count) + "ImageProcessor"
      }
      if let found = known.first(where: { $0.defaults.className == name }) {
        return (found.defaults, isFast)
      }
      throw reader.unexpected(
        key, reader.value(key), "one of \(names.joined(separator: ", "))", kind: .unsupportedModel)
    }
    if let modelType, let found = known.first(where: { $0.modelTypes.contains(modelType) }) {
      return (found.defaults, false)
    }
    throw reader.unexpected(
      "image_processor_type", nil, "one of \(names.joined(separator: ", "))", kind: .unsupportedModel)
  }
}

import Formats
import TensorCore

extension PreprocessingProfile {
  /// The MobileNets and most TFLite classifiers: stretched, as TensorFlow's own Python example for image
  /// classification does, and Pillow's antialiasing bilinear filter.
  public static let mobileNetV2 = PreprocessingProfile(
    name: "mobilenet-v2", resize: .pillow(.bilinear), geometry: .stretch, normalization: .minusOneToOne)

  /// Models trained in Keras on `tf.image.resize` with its defaults.
  public static let tensorFlow = PreprocessingProfile(
    name: "tensorflow", resize: .tensorFlow(.bilinear), geometry: .stretch, normalization: .minusOneToOne)

  /// The same with `antialias=True`.
  public static let tensorFlowAntialias = PreprocessingProfile(
    name: "tensorflow-antialias", resize: .tensorFlow(.bilinearAntialias), geometry: .stretch,
    normalization: .minusOneToOne)

  /// torchvision's ImageNet models: shorter side 256 for an input of 224, its centre, mean and deviation of
  /// ImageNet.
  public static let imageNetTorchvision = PreprocessingProfile(
    name: "imagenet-torchvision", resize: .pillow(.bilinear),
    geometry: .centerCrop(shorterSide: .ratio(8, over: 7), rounding: .torchvision),
    normalization: .known([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))

  /// OpenAI's CLIP, by its own and by Hugging Face's processor.
  public static let clip = PreprocessingProfile(
    name: "clip", resize: .pillow(.bicubic),
    geometry: .centerCrop(shorterSide: .asInput, rounding: .huggingFace),
    normalization: .known([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]))

  /// SigLIP, by Hugging Face's processor.
  public static let sigLIP = PreprocessingProfile(
    name: "siglip", resize: .pillow(.bicubic), geometry: .stretch, normalization: .known([0.5], [0.5]))

  /// ViT of Hugging Face (google/vit-…).
  public static let viT = PreprocessingProfile(
    name: "vit", resize: .pillow(.bilinear), geometry: .stretch, normalization: .known([0.5], [0.5]))

  /// All named profiles.
  public static let all = [
    mobileNetV2, tensorFlow, tensorFlowAntialias, imageNetTorchvision, clip, sigLIP, viT,
  ]

  /// The profile of that name, whatever its case and what stands between words: `MobileNet_V2` and `mobilenetv2` are
  /// `mobilenet-v2`.
  /// - Throws: ``ApusError`` of kind `argument` that lists the names when there is none, or several are meant.
  public static func named(_ name: String) throws(ApusError) -> PreprocessingProfile {
    if let profile = all.first(where: { $0.name == name }) { return profile }
    let plain = plain(name)
    let meant = all.filter { Self.plain($0.name) == plain }
    guard meant.count == 1, let profile = meant.first else {
      throw ApusError(
        .argument, "no preprocessing profile is named '\(name.clipped)'",
        expected: "one of \(all.map(\.name).joined(separator: ", "))")
    }
    return profile
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { !separators.contains($0) }
  }

  private static let separators: Set<Character> = ["-", "_", " ", "."]
}

import Formats
import TensorCore

/// Reads timm's `pretrained_cfg`: what its transform for evaluation does.
enum TimmPreprocessing {
  private static let sides = 1...PixelSize.maximumSide
  private static let keysWithoutEffect = KeysWithoutEffect(
    "the weights, or training and testing at another size",
    [
      "architecture", "classifier", "custom_load", "description", "file", "first_conv", "fixed_input_size",
      "global_pool", "has_classifier", "hf_hub_filename", "hf_hub_id", "label_descriptions", "label_names",
      "label_offset", "license", "min_input_size", "notes", "num_classes", "num_features", "origin_url",
      "paper_ids", "paper_name", "pool_size", "source", "state_dict", "tag", "test_crop_pct",
      "test_input_size", "url", "classifier_bias", "default_img_size", "model_args",
    ])

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a crop that Apus does not do.
  static func read(_ reader: ConfigurationReader) throws(ApusError) -> ImageProcessor {
    let size = try inputSize(reader)
    let mean = try reader.optionalChannels("mean") ?? [0.485, 0.456, 0.406]
    let std = try reader.optionalChannels("std") ?? [0.229, 0.224, 0.225]
    let profile = PreprocessingProfile(
      name: "timm", resize: .pillow(try reader.filter("interpolation", default: .bicubic)),
      geometry: try geometry(reader, size),
      normalization: try reader.unitNormalization(mean, std))
    reader.passOver([keysWithoutEffect])
    return ImageProcessor(profile: profile, size: size)
  }

  private static func inputSize(_ reader: ConfigurationReader) throws(ApusError) -> PixelSize {
    let numbers = try reader.optionalList("input_size", of: "channels, height and width") { $0.int } ?? []
    guard numbers.count == 3, numbers[0] == 3, numbers.allSatisfy(sides.contains),
      let size = try? PixelSize(width: numbers[2], height: numbers[1])
    else { throw reader.unexpected("input_size", reader.value("input_size"), "[3, height, width]") }
    return size
  }

  /// The shorter side, or with "squash" both sides, are those of the input over `crop_pct`, rounded down.
  private static func geometry(
    _ reader: ConfigurationReader, _ size: PixelSize
  ) throws(ApusError) -> Geometry {
    let part = try reader.number("crop_pct", in: 0.01...1, default: 0.875)
    let width = Int((Double(size.width) / part).rounded(.down))
    let height = Int((Double(size.height) / part).rounded(.down))
    let squashes = try reader.choice("crop_mode", ["center": false, "squash": true], default: false)
    if squashes { return .stretchAndCrop(width: width, height: height, rounding: .torchvision) }
    guard width == height else {
      throw reader.unexpected(
        "input_size", reader.value("input_size"), "a square, or crop_mode squash", kind: .unsupportedModel)
    }
    return .centerCrop(shorterSide: .pixels(width), rounding: .torchvision)
  }
}

import Formats
import TensorCore

/// Reads the `preprocessor_config.json` of Hugging Face transformers.
///
/// The numbers are those of the processors that use Pillow, with which the models were trained. The ones that
/// use torchvision ("…Fast", and the default of version 5) differ by a step of 255 in some pixels, which
/// depend on the processor's instruction set.
enum HuggingFaceImageProcessor {
  /// - Parameter modelType: `model_type` of `config.json`, which decides where the file names no class.
  static func read(
    _ reader: ConfigurationReader, modelType: String?
  ) throws(ApusError) -> ImageProcessor {
    let defaults = try ImageProcessorDefaults.find(reader, modelType: modelType)
    try refuseOtherSteps(reader)
    let (geometry, size) = try HuggingFaceGeometry.read(reader, defaults)
    let profile = PreprocessingProfile(
      name: "\(defaults.className) with Pillow", resize: .pillow(try filter(reader, defaults)),
      geometry: geometry, normalization: try normalization(reader, defaults))
    try reader.requireAllRead(except: harmlessKeys)
    return ImageProcessor(profile: profile, size: size)
  }

  /// Keys that say nothing about the numbers, or only about what a caller may pass.
  private static let harmlessKeys: Set<String> = [
    "_valid_processor_keys", "auto_map", "data_format", "device", "disable_grouping", "do_convert_rgb",
    "feature_extractor_type", "image_processor_type", "image_seq_length", "input_data_format",
    "model_input_names", "processor_class", "return_tensors", "transformers_version", "default_to_square",
    "pad_size",
  ]

  /// Steps of some processors that Apus does not do are refused unless they are switched off.
  private static func refuseOtherSteps(_ reader: ConfigurationReader) throws(ApusError) {
    try reader.require("do_resize", isOneOf: .bool(true))
    for key in reader.keys where key.hasPrefix("do_") && !steps.contains(key) {
      try reader.require(key, isOneOf: .bool(false))
    }
  }

  private static let steps: Set<String> = [
    "do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb",
  ]

  /// The number of Pillow's filter.
  private static func filter(
    _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults
  ) throws(ApusError) -> PillowFilter {
    let filters: [PillowFilter] = [.nearest, .lanczos, .bilinear, .bicubic, .box, .hamming]
    guard let code = try reader.optionalInteger("resample", in: 0...filters.count - 1) else {
      return defaults.filter
    }
    return filters[code]
  }

  private static func normalization(
    _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults
  ) throws(ApusError) -> Normalization {
    let factor = try reader.number("rescale_factor", in: -1e6...1e6, default: 1.0 / 255)
    let rescales = try reader.bool("do_rescale", default: true)
    let mean = try reader.optionalChannels("image_mean") ?? defaults.mean
    let std = try reader.optionalChannels("image_std") ?? defaults.std
    let normalizes = try reader.bool("do_normalize", default: true)
    return try reader.normalization(
      rescaledBy: rescales ? factor : 1, normalizes ? mean : [0], normalizes ? std : [1],
      key: normalizes ? "image_std" : "rescale_factor")
  }
}

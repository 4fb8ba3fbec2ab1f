import Formats
import TensorCore

/// Reads the `preprocessor_config.json` of Hugging Face transformers.
///
/// A class whose name ends in "Fast" has torchvision's numbers, any other one Pillow's, with which the published
/// models were trained. They differ by a few steps of 255 in some values. Version 5 of transformers uses
/// torchvision for all classes where it is installed. Where `do_convert_rgb` is true it also lays what is transparent over
/// white: of a picture whose alpha was dropped the one colour that Pillow remembers, of an opened file alpha too, which
/// here is an option of decoding, ``ImageOptions/transparency``.
enum HuggingFaceImageProcessor {
  /// - Parameter modelType: `model_type` of `config.json`, which decides where the file names no class.
  static func read(
    _ reader: ConfigurationReader, modelType: String?
  ) throws(ApusError) -> ImageProcessor {
    let (defaults, usesTorchvision) = try ImageProcessorDefaults.find(reader, modelType: modelType)
    try refuseOtherSteps(reader)
    let (geometry, size) = try HuggingFaceGeometry.read(
      reader, defaults, rounding: usesTorchvision ? .down : .huggingFace)
    var profile = PreprocessingProfile(
      name: "\(defaults.className) with \(usesTorchvision ? "torchvision" : "Pillow")",
      resize: try resize(reader, defaults, usesTorchvision), geometry: geometry,
      normalization: try normalization(reader, defaults, usesTorchvision))
    profile.whitensTransparentColour = try reader.step("do_convert_rgb", default: defaults.convertsToRGB)
    reader.passOver(keysWithoutEffect)
    return ImageProcessor(profile: profile, size: size)
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect(
      "names of classes and of the program that wrote the file",
      [
        "_valid_processor_keys", "auto_map", "feature_extractor_type", "model_input_names", "processor_class",
        "transformers_version", "_processor_class",
      ]),
    KeysWithoutEffect(
      "the form in which the library takes pictures and gives tensors",
      [
        "data_format", "device", "disable_grouping", "input_data_format", "return_tensors",
        "image_seq_length",
      ]),
    KeysWithoutEffect(
      "one number as a size means what it means to the class, or is refused", ["default_to_square"]),
    KeysWithoutEffect("do_pad, which is refused unless it is off", ["pad_size"]),
    KeysWithoutEffect(
      "maps of segments that go with pictures in training", ["do_reduce_labels", "reduce_labels"]),
  ]

  /// Steps of some processors that Apus does not do are refused unless they are switched off.
  private static func refuseOtherSteps(_ reader: ConfigurationReader) throws(ApusError) {
    let known = steps.union(keysWithoutEffect.flatMap(\.keys))
    for key in reader.keys where key.hasPrefix("do_") && !known.contains(ExactText(key)) {
      try reader.require(key, isOneOf: .bool(false))
    }
  }

  private static let steps: Set<ExactText> = [
    "do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb",
  ]

  /// torchvision multiplies bytes by a whole number in bytes, which begin again at 0 behind 255, unless
  /// normalization makes floats of them.
  private static func refuseWholeFactor(_ reader: ConfigurationReader) throws(ApusError) {
    let key = "rescale_factor"
    guard let value = reader.value(key), let factor = value.int, factor != 1 else { return }
    throw reader.unexpected(
      key, value, "a number with a point, such as \(factor).0", kind: .unsupportedModel,
      advice: "Without do_normalize a Fast class multiplies by a whole number in bytes, which overflow.")
  }

  /// The number of Pillow's filter.
  private static func resize(
    _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults, _ usesTorchvision: Bool
  ) throws(ApusError) -> ResizeMethod {
    let filters: [PillowFilter] = [.nearest, .lanczos, .bilinear, .bicubic, .box, .hamming]
    let code = try reader.optionalInteger("resample", in: 0...filters.count - 1)
    let filter = code.map { filters[$0] } ?? defaults.filter
    guard usesTorchvision else { return .pillow(filter) }
    guard let filter = TorchvisionResize.Filter(rawValue: filter.rawValue) else {
      throw reader.unexpected(
        "resample", reader.value("resample"), "1, 2 or 3 with torchvision", kind: .unsupportedModel)
    }
    return .torchvision(filter)
  }

  private static func normalization(
    _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults, _ usesTorchvision: Bool
  ) throws(ApusError) -> Normalization {
    let factor = try reader.number("rescale_factor", in: -1e6...1e6, default: 1.0 / 255)
    let rescales = try reader.step("do_rescale", default: true)
    let mean = try reader.optionalChannels("image_mean", mayBeGrey: true) ?? defaults.mean
    let std = try reader.optionalChannels("image_std", mayBeGrey: true) ?? defaults.std
    let normalizes = try reader.step("do_normalize", default: true)
    if usesTorchvision, rescales, !normalizes { try refuseWholeFactor(reader) }
    do {
      if usesTorchvision {
        guard normalizes else {
          return try .scaleOffset(perByteStep: rescales ? Float(factor) : 1, offset: 0)
        }
        return try .meanStd(dividedBy: rescales ? factor : 1, mean, std)
      }
      return try .meanStd(rescaledBy: rescales ? factor : 1, normalizes ? mean : [0], normalizes ? std : [1])
    } catch {
      let areSound = !normalizes || (try? Normalization.meanStd(rescaledBy: 1, mean, std)) != nil
      throw error.at(reader.place(areSound ? "rescale_factor" : "image_std")).inFile(reader.file)
    }
  }
}

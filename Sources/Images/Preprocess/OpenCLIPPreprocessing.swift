import Formats
import TensorCore

/// Reads OpenCLIP's `open_clip_config.json`: what its transform for inference does.
enum OpenCLIPPreprocessing {
  private static let sides = 1...PixelSize.maximumSide

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a way of resizing that Apus does not do.
  static func read(_ reader: ConfigurationReader) throws(ApusError) -> ImageProcessor {
    let model = try reader.object("model_cfg")
    let vision = try model.object("vision_cfg")
    model.passOverRest("the network")
    vision.passOverRest("the network")
    guard let options = try reader.optionalObject("preprocess_cfg") else {
      return try processor(size: try size(vision, "image_size"), filter: .bicubic, squashes: false, reader)
    }
    let size = try size(options.has("size") ? options : vision, options.has("size") ? "size" : "image_size")
    let squashes = try options.choice("resize_mode", ["shortest": false, "squash": true], default: false)
    // A choice for training, which the library takes for bicubic when it answers.
    let isRandom = options.value("interpolation") == .string("random")
    let filter: PillowFilter =
      isRandom ? .bicubic : try options.filter("interpolation", default: .bicubic)
    try options.require("mode", isOneOf: .string("RGB"))
    let result = try processor(size: size, filter: filter, squashes: squashes, options)
    options.passOver([
      KeysWithoutEffect("the colour of borders, which neither way of resizing makes", ["fill_color"])
    ])
    return result
  }

  private static func processor(
    size: PixelSize, filter: PillowFilter, squashes: Bool, _ reader: ConfigurationReader
  ) throws(ApusError) -> ImageProcessor {
    let mean = try reader.optionalChannels("mean") ?? [0.48145466, 0.4578275, 0.40821073]
    let std = try reader.optionalChannels("std") ?? [0.26862954, 0.26130258, 0.27577711]
    guard squashes || size.width == size.height else {
      throw ApusError(
        .unsupportedModel, "an input of \(size) by its shorter side",
        expected: "a square, or resize_mode squash", at: "preprocess_cfg", file: reader.file)
    }
    let profile = PreprocessingProfile(
      name: "open_clip", resize: .pillow(filter),
      geometry: squashes ? .stretch : .centerCrop(shorterSide: .asInput, rounding: .torchvision),
      normalization: try reader.unitNormalization(mean, std))
    return ImageProcessor(profile: profile, size: size)
  }

  /// A number, or height and width.
  private static func size(_ reader: ConfigurationReader, _ key: String) throws(ApusError) -> PixelSize {
    var numbers = [reader.value(key)?.int].compactMap(\.self)
    if numbers.isEmpty { numbers = try reader.optionalList(key, of: "height and width") { $0.int } ?? [] }
    guard 1...2 ~= numbers.count, numbers.allSatisfy(sides.contains),
      let size = try? PixelSize(width: numbers[numbers.count - 1], height: numbers[0])
    else { throw reader.unexpected(key, reader.value(key), "a number, or height and width") }
    return size
  }
}

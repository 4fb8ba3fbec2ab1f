import Formats
import TensorCore

/// How the pictures of a model are prepared, by the configuration files in its folder.
package struct ImageProcessor: Sendable, Equatable {
  package let profile: PreprocessingProfile
  /// The sides of the model's input; nil when pictures keep theirs.
  package let size: PixelSize?

  /// What the first of these files says that is there: Hugging Face's `preprocessor_config.json` or
  /// `processor_config.json`, `open_clip_config.json`, timm's `pretrained_cfg` in `config.json`.
  /// - Returns: nil when none is there.
  /// - Throws: ``ApusError`` when a file asks for something that Apus does not do, or is malformed.
  package static func find(in folder: ModelFolder) throws(ApusError) -> ImageProcessor? {
    let model = try folder.optionalConfiguration("config.json")
    let modelType = try model?.optionalString("model_type")
    if let reader = try folder.optionalConfiguration("preprocessor_config.json") {
      return try HuggingFaceImageProcessor.read(reader, modelType: modelType)
    }
    if let reader = try folder.optionalConfiguration("processor_config.json")?
      .optionalObject("image_processor")
    {
      return try HuggingFaceImageProcessor.read(reader, modelType: modelType)
    }
    if let reader = try folder.optionalConfiguration("open_clip_config.json") {
      return try OpenCLIPPreprocessing.read(reader)
    }
    guard let reader = try model?.optionalObject("pretrained_cfg") else { return nil }
    return try TimmPreprocessing.read(reader)
  }
}

extension ConfigurationReader {
  /// One number, or a list of one or three, such as `image_mean`; nil when the key is missing.
  /// - Parameter mayBeGrey: whether the list may be that of one channel.
  func optionalChannels(_ key: String, mayBeGrey: Bool = false) throws(ApusError) -> [Float]? {
    if let number = value(key)?.double { return [Float(number)] }
    guard let numbers = try optionalList(key, of: "numbers", { $0.double }) else { return nil }
    guard numbers.count == 3 || (mayBeGrey && numbers.count == 1) else {
      throw unexpected(key, value(key), "a number, or one for each of 3 channels")
    }
    return numbers.map { Float($0) }
  }

  /// (x / 255 − mean) / std, errors placed at `std` of this file.
  func unitNormalization(_ mean: [Float], _ std: [Float]) throws(ApusError) -> Normalization {
    do {
      return try Normalization.meanStd(rescaledBy: 1.0 / 255, mean, std)
    } catch {
      throw error.at(place("std")).inFile(file)
    }
  }

  /// A filter by its name in PyTorch's libraries.
  func filter(_ key: String, default fallback: PillowFilter) throws(ApusError) -> PillowFilter {
    try choice(
      key,
      [
        "bicubic": .bicubic, "bilinear": .bilinear, "nearest": .nearest, "lanczos": .lanczos, "box": .box,
        "hamming": .hamming,
      ], default: fallback)
  }
}

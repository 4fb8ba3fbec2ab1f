import Formats
import TensorCore

/// How the pictures of a model are prepared: by a profile, and to which size.
public struct ImageProcessor: Sendable, Hashable {
  /// What is done to a picture.
  public let profile: PreprocessingProfile
  /// The sides of the model's input; nil when pictures keep theirs.
  public let size: PixelSize?

  /// - Parameters:
  ///   - profile: what is done to a picture.
  ///   - size: the sides of the model's input; nil when pictures keep theirs.
  public init(profile: PreprocessingProfile, size: PixelSize?) {
    (self.profile, self.size) = (profile, size)
  }

  /// What the first of these files says that is there: Hugging Face's `processor_config.json`, where it has a part for
  /// pictures, or `preprocessor_config.json`, `open_clip_config.json`, timm's `pretrained_cfg` in `config.json`.
  /// - Returns: nil when none is there.
  /// - Throws: ``ApusError`` when a file asks for something that Apus does not do, or is malformed.
  package static func find(in folder: ModelFolder) throws(ApusError) -> ImageProcessor? {
    let modelType = try folder.modelText("model_type")
    let nested = try folder.readingIfPresent("processor_config.json") { (file) throws(ApusError) in
      try processor(in: file, modelType)
    }
    if let nested { return nested }
    let stated = try folder.readingIfPresent("preprocessor_config.json") { (reader) throws(ApusError) in
      try HuggingFaceImageProcessor.read(reader, modelType: modelType)
    }
    if let stated { return stated }
    if let processor = try folder.readingIfPresent(ModelFolder.openCLIPFile, OpenCLIPPreprocessing.read) {
      return processor
    }
    return try folder.readingIfPresent("config.json") { (reader) throws(ApusError) in
      reader.passOverRest("the network")
      return try reader.optionalObject("pretrained_cfg").map(TimmPreprocessing.read)
    }
  }

  private static func processor(
    in file: ConfigurationReader, _ modelType: String?
  ) throws(ApusError) -> ImageProcessor? {
    file.passOverRest("the other parts of a model")
    guard let reader = try file.optionalObject("image_processor") else { return nil }
    return try HuggingFaceImageProcessor.read(reader, modelType: modelType)
  }
}

extension ConfigurationReader {
  /// Whether a step is done. Null switches it off, where a missing key leaves the class its way.
  func step(_ key: String, default fallback: Bool) throws(ApusError) -> Bool {
    isNull(key) ? false : try bool(key, default: fallback)
  }

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

import Formats
import Images
import TensorCore

/// Decides how pictures are prepared for a file whose user has not said.
package enum InputRecipe {
  /// The MobileNets' resize, with the normalisation that the model's metadata state, or else the one that its input
  /// type shows.
  package static func profile(
    tensor: TFLiteTensorMetadata?, input: TensorType
  ) throws(ApusError) -> PreprocessingProfile {
    if let stated = tensor?.normalization, applies(stated, to: input) {
      return PreprocessingProfile.mobileNetV2.with(
        try .meanStd(inUnitsOfBytes: stated.mean, stated.standardDeviation))
    }
    return PreprocessingProfile.mobileNetV2.with(try normalization(of: input))
  }

  /// That of Ultralytics for its classifiers; for other ONNX files what the input shows.
  package static func profile(
    _ metadata: ONNXClassMetadata, input: TensorType
  ) throws(ApusError) -> PreprocessingProfile {
    guard metadata.isUltralyticsClassifier else { return try profile(tensor: nil, input: input) }
    return PreprocessingProfile(
      name: "ultralytics-classify", resize: .pillow(.bilinear),
      geometry: .centerCrop(shorterSide: .asInput, rounding: .torchvision), normalization: .zeroToOne)
  }

  /// Metadata are written for the runtimes of TensorFlow Lite, which feed bytes to a uint8 input whatever they
  /// state, and state mean 0 and deviation 1 where they mean the bytes.
  private static func applies(_ stated: TFLiteTensorMetadata.Normalization, to input: TensorType) -> Bool {
    switch input.dataType {
    case .uint8: false
    case .int8: stated.mean.contains { $0 != 0 } || stated.standardDeviation.contains { $0 != 1 }
    default: true
    }
  }

  /// x/127.5 − 1 for floats. An integer input without further notes is fed the bytes of the picture, and its
  /// scale and zero point say what numbers the model takes them for; uint8 without them stands for the bytes.
  private static func normalization(of input: TensorType) throws(ApusError) -> Normalization {
    if input.dataType == .uint8, input.quantization == nil { return .unchanged }
    guard let quantization = input.quantization, !quantization.isPerChannel else { return .minusOneToOne }
    let scale = quantization.scale
    let darkest = quantization.zeroPoint + (input.dataType == .int8 ? 128 : 0)
    if abs(scale * 127.5 - 1) < 0.02, (126...129).contains(darkest) { return .minusOneToOne }
    if abs(scale * 255 - 1) < 0.02, (0...1).contains(darkest) { return .zeroToOne }
    if scale == 1, darkest == 0 { return .unchanged }
    return try .scaleOffset(perByteStep: scale, offset: -scale * Float(darkest))
  }
}

extension ClassifierMetadata {
  /// The profile that the file names; nil when it names none.
  /// - Throws: ``ApusError`` of kind `configuration` that names the file.
  func profile(file: String) throws(ApusError) -> PreprocessingProfile? {
    guard let preprocessing else { return nil }
    do {
      return try PreprocessingProfile.named(preprocessing)
    } catch {
      var error = error.at("preprocessing").inFile(file)
      error.kind = .configuration
      throw error
    }
  }
}

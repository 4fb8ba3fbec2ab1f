import Formats
import Images
import TensorCore

/// Decides how pictures are prepared for a model whose user has not said.
enum InputRecipe {
  /// The profile for the picture input of a model: the one asked for; else the one that `meta.json` names;
  /// else the MobileNets' resize, with the normalisation that the model's metadata states, or the one that its
  /// input type shows.
  static func profile(
    requested: PreprocessingProfile?, sidecar: ClassifierMetadata?, tensor: TFLiteTensorMetadata?,
    input: TensorType
  ) throws(ApusError) -> PreprocessingProfile {
    if let requested { return requested }
    if let name = sidecar?.preprocessing {
      return try PreprocessingProfile.named(String(name.map { $0 == "_" ? "-" : $0 }))
    }
    if let stated = tensor?.normalization {
      return PreprocessingProfile.mobileNetV2.with(
        try .meanStd(inUnitsOfBytes: stated.mean, stated.standardDeviation))
    }
    return PreprocessingProfile.mobileNetV2.with(try normalization(of: input))
  }

  /// x/127.5 − 1 for floats. An integer input without further notes is fed the bytes of the picture, and its
  /// scale and zero point say what numbers the model takes them for.
  private static func normalization(of input: TensorType) throws(ApusError) -> Normalization {
    guard let quantization = input.quantization, !quantization.isPerChannel else { return .minusOneToOne }
    let scale = quantization.scale
    let darkest = quantization.zeroPoint + (input.dataType == .int8 ? 128 : 0)
    if abs(scale * 127.5 - 1) < 0.02, (126...129).contains(darkest) { return .minusOneToOne }
    if abs(scale * 255 - 1) < 0.02, (0...1).contains(darkest) { return .zeroToOne }
    if scale == 1, darkest == 0 { return .unchanged }
    return try .scaleOffset(perByteStep: scale, offset: -scale * Float(darkest))
  }
}

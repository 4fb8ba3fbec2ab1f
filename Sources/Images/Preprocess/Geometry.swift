import TensorCore

/// How a picture of any shape is brought to the shape of a model's input.
public enum Geometry: Sendable, Hashable, CustomStringConvertible {
  /// Both sides to the input's sides, whatever that does to the proportions.
  case stretch
  /// The shorter side to a length, the longer one in proportion (rounded down), then the centre.
  case centerCrop(shorterSide: ShorterSide, rounding: CropRounding)
  /// Both sides to lengths in pixels, then the centre.
  case stretchAndCrop(width: Int, height: Int, rounding: CropRounding)
  /// Pictures keep their size, which must be that of the input.
  case unchanged
  /// Pictures keep their size, of which the centre is taken.
  case crop(rounding: CropRounding)
  /// As large as fits, in the centre, with bars of a colour.
  case letterbox(ImageOptions.Colour)

  /// The length of the shorter side before the crop.
  public enum ShorterSide: Sendable, Hashable {
    /// The shorter side of the input: no border is cut off the shorter side.
    case asInput
    /// The shorter side of the input times a fraction, rounded: 8/7 makes 256 for an input of 224.
    case ratio(Int, over: Int)
    /// A number of pixels.
    case pixels(Int)
  }

  /// Which pixel the centre begins with when the border is an odd number of pixels. A picture smaller than the
  /// centre gets a black border instead.
  public enum CropRounding: Sendable, Hashable {
    /// Half the border rounded to the nearest integer, ties to even; half a black border rounded down:
    /// torchvision's `center_crop`.
    case torchvision
    /// Half the border rounded down; half a black border rounded up: Hugging Face's `center_crop`.
    case huggingFace
    /// Half of either border rounded down: Hugging Face's processors that use torchvision.
    case down
  }

  /// The geometry in words.
  public var description: String {
    switch self {
    case .stretch: "stretch"
    case .centerCrop(.asInput, _): "shorter side and centre crop"
    case .centerCrop(.ratio(let top, let bottom), _): "shorter side ×\(top)/\(bottom) and centre crop"
    case .centerCrop(.pixels(let count), _): "shorter side \(count) and centre crop"
    case .stretchAndCrop(let width, let height, _): "stretch to \(width)×\(height) and centre crop"
    case .unchanged: "no resize"
    case .crop: "no resize, centre crop"
    case .letterbox(let colour): "letterbox on (\(colour.red), \(colour.green), \(colour.blue))"
    }
  }
}

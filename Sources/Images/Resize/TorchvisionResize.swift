import TensorCore

/// torchvision's antialiased `resize` of tensors of bytes, byte for byte.
///
/// Like Pillow's, but with weights of 16 bits, and always the width first. PyTorch does the same on all
/// processors with AVX2 or Neon.
public enum TorchvisionResize {
  /// The filters that torchvision has for tensors.
  public enum Filter: String, Sendable, Hashable, CaseIterable {
    /// Weights that fall in a straight line.
    case bilinear
    /// A cubic spline over two pixels on each side.
    case bicubic
    /// A windowed sinc over three pixels on each side.
    case lanczos

    var pillow: PillowFilter {
      switch self {
      case .bilinear: .bilinear
      case .bicubic: .bicubic
      case .lanczos: .lanczos
      }
    }
  }

  /// - Throws: ``ApusError`` when the target size is not allowed.
  public static func resize(
    _ image: RGBImage, width: Int, height: Int, filter: Filter
  ) throws(ApusError) -> RGBImage {
    let size = try PixelSize(width: width, height: height)
    return resize(image, to: size, filter: filter, window: PixelWindow(size))
  }

  /// The part `window` of the picture resized to `size`.
  package static func resize(
    _ image: RGBImage, to size: PixelSize, filter: Filter, window: PixelWindow
  ) -> RGBImage {
    let passes = TwoPassResample(
      sourceWidth: image.width,
      columns: FixedPointWeights(
        torchvision: filter.pillow, sourceSize: image.width, targetSize: size.width, window: window.columns),
      rows: FixedPointWeights(
        torchvision: filter.pillow, sourceSize: image.height, targetSize: size.height, window: window.rows),
      heightFirst: false)
    return RGBImage(sound: window.columns.count, window.rows.count, passes.run(image.pixels))
  }
}

import Images

/// A change of a picture's pixels that keeps all of them.
enum PixelTransform: Sendable {
  case none
  case redAndBlueExchanged
  /// Rows become columns.
  case transposed
  case upsideDown

  func callAsFunction(_ image: RGBImage) -> RGBImage {
    let (width, height) = (image.width, image.height)
    switch self {
    case .none: return image
    case .redAndBlueExchanged: return Self.image(width, height) { x, y, c in image[x, y, 2 - c] }
    case .transposed: return Self.image(height, width) { x, y, c in image[y, x, c] }
    case .upsideDown: return Self.image(width, height) { x, y, c in image[x, height - 1 - y, c] }
    }
  }

  private static func image(_ width: Int, _ height: Int, _ pixel: (Int, Int, Int) -> UInt8) -> RGBImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * RGBImage.channels)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<RGBImage.channels { pixels.append(pixel(x, y, channel)) }
      }
    }
    return RGBImage(sound: width, height, pixels)
  }
}

extension RGBImage {
  fileprivate subscript(x: Int, y: Int, channel: Int) -> UInt8 {
    pixels[(y * width + x) * Self.channels + channel]
  }
}

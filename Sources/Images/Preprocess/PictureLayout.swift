import TensorCore

extension ImageProcessor {
  /// In which order the axes of pictures stand.
  public enum Layout: String, Sendable, CaseIterable {
    /// [N, channels, height, width], as PyTorch and transformers have it.
    case channelsFirst
    /// [N, height, width, channels], as TensorFlow has it.
    case channelsLast
  }
}

/// An input for one picture: the order of its axes, and their extents.
struct PictureLayout: Sendable {
  let order: ImageProcessor.Layout
  let size: PixelSize
  /// 3, or 1 for grey.
  let channels: Int

  /// - Parameters:
  ///   - shape: `[1, height, width, channels]` or `[1, channels, height, width]`, or either without the 1.
  ///   - stated: the order of the axes; nil for the one that the shape shows. Where it could be both, channels stand last.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a shape that is not that of one picture.
  init(_ shape: Shape, _ stated: ImageProcessor.Layout? = nil) throws(ApusError) {
    let orders = stated.map { [$0] } ?? [.channelsLast, .channelsFirst]
    let axes = shape.rank == 3 || (shape.rank == 4 && shape[0] == 1) ? Array(shape.dimensions.suffix(3)) : []
    for order in orders where axes.count == 3 {
      let channels = order == .channelsLast ? axes[2] : axes[0]
      guard channels == 1 || channels == RGBImage.channels else { continue }
      let sides = order == .channelsLast ? axes[..<2] : axes[1...]
      (self.order, self.channels) = (order, channels)
      size = try PixelSize(width: sides[sides.endIndex - 1], height: sides[sides.startIndex])
      return
    }
    throw ApusError(
      .unsupportedModel, "an input of shape \(shape)",
      expected: "[1, height, width, 3] or [1, 3, height, width], a picture, or 1 channel for grey")
  }

  /// Brings pixels, channel beside channel, into the order of the input.
  func arrange<Value: BitwiseCopyable>(
    _ pixels: UnsafeMutableBufferPointer<Value>, into target: UnsafeMutableBufferPointer<Value>
  ) {
    let count = size.width * size.height
    guard pixels.count == count * channels, target.count == pixels.count else { return }
    for channel in 0..<channels {
      for pixel in 0..<count { target[channel * count + pixel] = pixels[pixel * channels + channel] }
    }
  }
}

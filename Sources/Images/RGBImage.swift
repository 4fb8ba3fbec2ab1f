import Kernels
import TensorCore

/// A picture as bytes: rows from top to bottom, pixels from left to right, red, green and blue of each
/// pixel side by side.
public struct RGBImage: Sendable, Equatable {
  /// Pixels in a row, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// `width × height × 3` values of 0…255.
  public let pixels: [UInt8]

  /// Channels of each pixel.
  public static let channels = 3

  /// - Throws: ``ApusError`` of kind `argument` when a side is not positive or the number of bytes is not
  ///   `width × height × 3`.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ApusError) {
    guard width > 0, height > 0 else {
      throw ApusError(.argument, "a picture of \(width)×\(height) pixels", expected: "positive sides")
    }
    let (area, areaOverflow) = width.multipliedReportingOverflow(by: height)
    let (count, countOverflow) = area.multipliedReportingOverflow(by: Self.channels)
    guard !areaOverflow, !countOverflow, pixels.count == count else {
      throw ApusError(
        .argument, "\(pixels.count) bytes for a picture of \(width)×\(height) pixels",
        expected: "3 for each pixel")
    }
    self.init(sound: width, height, pixels)
  }

  /// For callers that have made the pixels to fit.
  package init(sound width: Int, _ height: Int, _ pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The picture in shades of grey, as Pillow's `convert("L")` makes them; a grey one stays as it is.
  var grey: RGBImage {
    let light = [UInt8](unsafeUninitializedCapacity: width * height) { light, count in
      pixels.withUnsafeBufferPointer { pixels in
        guard let source = pixels.baseAddress, let target = light.baseAddress else { return }
        KernelSet.best.integer.lighten(source, target, width * height)
        count = width * height
      }
    }
    var grey = pixels
    for (pixel, light) in light.enumerated() {
      for channel in 0..<Self.channels { grey[pixel * Self.channels + channel] = light }
    }
    return RGBImage(sound: width, height, grey)
  }

  /// The bytes in a row.
  var rowBytes: Int { width * Self.channels }
}

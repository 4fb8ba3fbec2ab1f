import Kernels
import TensorCore

/// Pillow's `Image.resize` for RGB, byte for byte.
///
/// Two passes in fixed point, each rounding to bytes. Beside the result, the memory in use is at most the
/// filter's height times the target's width.
public enum PillowResize {
  /// - Parameter box: the part of the picture to use; all of it when nil.
  /// - Throws: ``ApusError`` when the target size is not allowed.
  public static func resize(
    _ image: RGBImage, width: Int, height: Int, filter: PillowFilter, box: SourceBox? = nil,
    version: PillowVersion = .current
  ) throws(ApusError) -> RGBImage {
    let size = try PixelSize(width: width, height: height)
    return resize(
      image, to: size, filter: filter, version: version, box: box ?? SourceBox(image),
      window: PixelWindow(size))
  }

  /// The part `window` of the picture resized to `size`.
  package static func resize(
    _ image: RGBImage, to size: PixelSize, filter: PillowFilter, version: PillowVersion, box: SourceBox,
    window: PixelWindow, kernels: KernelSet = .best
  ) -> RGBImage {
    if let origin = wholeOrigin(of: box, size: size) { return crop(image, origin: origin, window: window) }
    if filter == .nearest { return PillowNearest.resize(image, to: size, box: box, window: window) }
    let columns = FixedPointWeights(
      filter, sourceSize: image.width, from: box.left, to: box.right, targetSize: size.width,
      window: window.columns)
    let rows = FixedPointWeights(
      filter, sourceSize: image.height, from: box.top, to: box.bottom, targetSize: size.height,
      window: window.rows)
    let passes = TwoPassResample(
      sourceWidth: image.width, columns: columns, rows: rows,
      heightFirst: version.resizesHeightFirst(image, to: size), kernels: kernels)
    return RGBImage(sound: window.columns.count, window.rows.count, passes.run(image.pixels))
  }

  /// Where the box begins when it holds exactly the wanted pixels, so that there is nothing to resample.
  private static func wholeOrigin(of box: SourceBox, size: PixelSize) -> (x: Int, y: Int)? {
    guard box.left == box.left.rounded(.down), box.top == box.top.rounded(.down),
      box.right - box.left == Float(size.width), box.bottom - box.top == Float(size.height)
    else { return nil }
    return (Int(box.left), Int(box.top))
  }

  private static func crop(_ image: RGBImage, origin: (x: Int, y: Int), window: PixelWindow) -> RGBImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(window.columns.count * window.rows.count * 3)
    for row in window.rows {
      let start = ((origin.y + row) * image.width + origin.x + window.columns.lowerBound) * 3
      pixels += image.pixels[start..<(start + window.columns.count * 3)]
    }
    return RGBImage(sound: window.columns.count, window.rows.count, pixels)
  }
}

/// Pillow's nearest neighbour: the source position of each column and row is a running sum in double
/// precision, whose rounding error is part of the result.
enum PillowNearest {
  static func resize(_ image: RGBImage, to size: PixelSize, box: SourceBox, window: PixelWindow) -> RGBImage {
    let columns = positions(from: box.left, to: box.right, count: size.width, limit: image.width)
    let rows = positions(from: box.top, to: box.bottom, count: size.height, limit: image.height)
    var pixels = [UInt8](repeating: 0, count: window.columns.count * window.rows.count * 3)
    var target = 0
    for row in rows[window.rows] {
      for column in columns[window.columns] {
        if let row, let column {
          let source = (row * image.width + column) * 3
          for channel in 0..<3 { pixels[target + channel] = image.pixels[source + channel] }
        }
        target += 3
      }
    }
    return RGBImage(sound: window.columns.count, window.rows.count, pixels)
  }

  /// The source position of each target position; nil, which stays black, past the last one.
  private static func positions(from: Float, to: Float, count: Int, limit: Int) -> [Int?] {
    let step = Double(to - from) / Double(count)
    var position = Double(from) + step * 0.5
    return (0..<count).map { _ in
      defer { position += step }
      return position >= 0 && Int(position) < limit ? Int(position) : nil
    }
  }
}

import TensorCore

/// TensorFlow's bilinear resize of RGB, float for float.
public enum TensorFlowResize {
  /// The methods of `tf.image.resize` that Apus has.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// `tf.image.resize(…, "bilinear")`: between the four pixels around each point, however much the picture
    /// shrinks; the points are pixel centres.
    case bilinear = "tensorflow-bilinear"
    /// `tf.image.resize(…, "bilinear", antialias=True)`: a triangle filter, widened when the picture shrinks.
    case bilinearAntialias = "tensorflow-bilinear-antialias"
    /// `tf.compat.v1.image.resize_bilinear` with its defaults: as the first, but the points are corners.
    case bilinearFromCorners = "tensorflow1-bilinear"
  }

  /// - Throws: ``ApusError`` when the target size is not allowed.
  public static func resize(
    _ image: RGBImage, width: Int, height: Int, kind: Kind
  ) throws(ApusError) -> FloatImage {
    let size = try PixelSize(width: width, height: height)
    return resize(image, to: size, kind: kind, window: PixelWindow(size))
  }

  /// The part `window` of the picture resized to `size`.
  package static func resize(_ image: RGBImage, to size: PixelSize, kind: Kind, window: PixelWindow)
    -> FloatImage
  {
    switch kind {
    case .bilinear, .bilinearFromCorners:
      interpolate(image, to: size, fromCorners: kind == .bilinearFromCorners, window: window)
    case .bilinearAntialias:
      TriangleResample(image, to: size, window: window).run(image)
    }
  }

  /// The pixels on both sides of a sampling point, and how far it is from the first.
  private struct Neighbours {
    let lower: Int
    let upper: Int
    let fraction: Float
  }

  private static func neighbours(
    source: Int, target: Int, fromCorners: Bool, window: Range<Int>
  ) -> [Neighbours] {
    let scale = Float(source) / Float(target)
    return window.map { position in
      let point = fromCorners ? Float(position) * scale : (Float(position) + 0.5) * scale - 0.5
      let floor = point.rounded(.down)
      let lower = min(max(Int(floor), 0), source - 1)
      let upper = min(max(Int(point.rounded(.up)), 0), source - 1)
      return Neighbours(lower: lower, upper: upper, fraction: point - floor)
    }
  }

  private static func interpolate(
    _ image: RGBImage, to size: PixelSize, fromCorners: Bool, window: PixelWindow
  ) -> FloatImage {
    let columns = neighbours(
      source: image.width, target: size.width, fromCorners: fromCorners, window: window.columns)
    let rows = neighbours(
      source: image.height, target: size.height, fromCorners: fromCorners, window: window.rows)
    var pixels: [Float] = []
    pixels.reserveCapacity(columns.count * rows.count * 3)
    for row in rows {
      let upperLine = row.lower * image.rowBytes, lowerLine = row.upper * image.rowBytes
      for column in columns {
        for channel in 0..<3 {
          let left = column.lower * 3 + channel, right = column.upper * 3 + channel
          let topLeft = Float(image.pixels[upperLine + left])
          let topRight = Float(image.pixels[upperLine + right])
          let bottomLeft = Float(image.pixels[lowerLine + left])
          let bottomRight = Float(image.pixels[lowerLine + right])
          let top = topLeft + (topRight - topLeft) * column.fraction
          let bottom = bottomLeft + (bottomRight - bottomLeft) * column.fraction
          pixels.append(top + (bottom - top) * row.fraction)
        }
      }
    }
    return FloatImage(width: columns.count, height: rows.count, pixels: pixels)
  }
}

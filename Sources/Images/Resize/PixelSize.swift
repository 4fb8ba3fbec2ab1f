import TensorCore

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// The longest side of a resized picture.
  static let maximumSide = 1 << 16

  /// - Throws: ``ApusError`` of kind `argument` when a side is not in 1…65536, or both make more pixels
  ///   than the default limit of a picture.
  public init(width: Int, height: Int) throws(ApusError) {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height), width * height <= ImageLimits.standard.pixels else {
      throw ApusError(
        .argument, "a picture resized to \(width)×\(height)",
        expected: "sides of 1 to \(Self.maximumSide) and at most \(ImageLimits.standard.pixels) pixels")
    }
    self.width = width
    self.height = height
  }

  /// Width × height.
  public var description: String { "\(width)×\(height)" }
}

/// A rectangle of whole pixels inside a picture.
package struct PixelWindow: Sendable, Hashable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// All of a picture.
  package init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }
}

/// A part of a picture, in pixels from its top left corner, not necessarily whole ones.
public struct SourceBox: Sendable, Hashable {
  /// The edges, in pixels from the left and from the top.
  public let left, top, right, bottom: Float

  /// - Throws: ``ApusError`` of kind `argument` when the box is empty or not inside `image`.
  public init(left: Float, top: Float, right: Float, bottom: Float, in image: RGBImage) throws(ApusError) {
    guard left >= 0, top >= 0, right <= Float(image.width), bottom <= Float(image.height), left < right,
      top < bottom
    else {
      throw ApusError(
        .argument, "the box (\(left), \(top), \(right), \(bottom))",
        expected: "a box inside the picture of \(image.width)×\(image.height)")
    }
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// All of a picture.
  package init(_ image: RGBImage) {
    left = 0
    top = 0
    right = Float(image.width)
    bottom = Float(image.height)
  }
}

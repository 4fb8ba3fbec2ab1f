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

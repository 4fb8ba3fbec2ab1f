// This file works on pointers: bounds are proven once from the weights, not checked at every pixel.

/// A small square of grey from a picture: Pillow's `convert("L")` and then `resize` with the Lanczos filter, the width
/// first, byte for byte. No grey picture of full size is made.
struct GreyResample {
  private let side: Int
  private let columns, rows: FixedPointWeights

  init(from image: RGBImage, side: Int) {
    func weights(_ length: Int) -> FixedPointWeights {
      FixedPointWeights(
        .lanczos, sourceSize: length, from: 0, to: Float(length), targetSize: side, window: 0..<side)
    }
    self.side = side
    columns = weights(image.width)
    rows = weights(image.height)
  }

  /// Rows of the square.
  func pixels(of image: RGBImage) -> [UInt8] {
    var narrow = [UInt8](repeating: 0, count: image.height * side)
    narrow.withUnsafeMutableBufferPointer { narrow in
      image.pixels.withUnsafeBufferPointer { source in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: image.width) { line in
          guard let source = source.baseAddress, let narrow = narrow.baseAddress, let line = line.baseAddress,
            columns.reach.upperBound <= image.width
          else { return }
          for y in 0..<image.height {
            Self.lighten(source + y * image.rowBytes, into: line, count: image.width)
            narrowRow(line, into: narrow + y * side)
          }
        }
      }
    }
    return (0..<side).flatMap { row in
      (0..<side).map { x in
        let start = rows.starts[row], weight = row * rows.taps
        let sum = (0..<rows.counts[row]).reduce(half(rows)) {
          $0 &+ Int32(narrow[(start + $1) * side + x]) &* rows.weights[weight + $1]
        }
        return clip(sum, rows)
      }
    }
  }

  /// Pillow's grey of a row of RGB.
  private static func lighten(
    _ row: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<Int32>, count: Int
  ) {
    for x in 0..<count {
      let pixel = row + x &* 3
      let light = 19595 &* Int32(pixel[0]) &+ 38470 &* Int32(pixel[1]) &+ 7471 &* Int32(pixel[2])
      target[x] = (light &+ 0x8000) &>> 16
    }
  }

  private func narrowRow(_ line: UnsafePointer<Int32>, into target: UnsafeMutablePointer<UInt8>) {
    columns.weights.withUnsafeBufferPointer { weights in
      guard var weight = weights.baseAddress else { return }
      for x in 0..<side {
        let first = line + columns.starts[x]
        var sum = half(columns)
        for tap in 0..<columns.counts[x] { sum &+= first[tap] &* weight[tap] }
        target[x] = clip(sum, columns)
        weight += columns.taps
      }
    }
  }

  private func half(_ weights: FixedPointWeights) -> Int32 { 1 << (weights.precision - 1) }

  private func clip(_ sum: Int32, _ weights: FixedPointWeights) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum &>> weights.precision, 0), 255))
  }
}

// This file works on pointers: bounds are proven once from the spans, not checked at every pixel.

/// TensorFlow's ScaleAndTranslate with the triangle kernel and antialiasing, in single precision: columns
/// first, then rows, in the order in which TensorFlow adds.
struct TriangleResample {
  private let columns: [Span]
  private let rows: [Span]

  init(_ image: RGBImage, to size: PixelSize, window: PixelWindow) {
    columns = Self.spans(source: image.width, target: size.width, window: window.columns)
    rows = Self.spans(source: image.height, target: size.height, window: window.rows)
  }

  /// The source pixels of one target pixel, and their weights.
  private struct Span {
    let start: Int
    let weights: [Float]
  }

  private static func spans(source: Int, target: Int, window: Range<Int>) -> [Span] {
    let scale = Float(target) / Float(source)
    let inverse = 1 / scale
    let kernelScale = max(inverse, 1)
    let perUnit = 1 / kernelScale
    return window.map { position in
      let sample = (Float(position) + 0.5) * inverse
      guard sample >= 0, sample <= Float(source) else { return Span(start: 0, weights: []) }
      let first = min(max(Int((sample - kernelScale - 0.5).rounded(.up)), 0), source - 1)
      let last = min(max(Int((sample + kernelScale - 0.5).rounded(.down)), 0), source - 1)
      var weights: [Float] = []
      var sum: Float = 0
      for pixel in first..<(max(first, last) + 1) {
        let weight = max(1 - abs((Float(pixel) + 0.5 - sample) * perUnit), 0)
        sum += weight
        weights.append(weight)
      }
      guard sum >= 1000 * Float.leastNormalMagnitude else { return Span(start: first, weights: []) }
      let share = 1 / sum
      return Span(start: first, weights: weights.map { $0 * share })
    }
  }

  func run(_ image: RGBImage) -> FloatImage {
    let lineCount = image.rowBytes
    let width = columns.count
    let pixels = [Float](unsafeUninitializedCapacity: width * rows.count * 3) { target, count in
      image.pixels.withUnsafeBufferPointer { source in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: lineCount) { line in
          guard let sourceBase = source.baseAddress, let lineBase = line.baseAddress,
            let targetBase = target.baseAddress
          else { return }
          for (y, row) in rows.enumerated() {
            gatherRow(row, sourceBase, into: lineBase, count: lineCount)
            gatherColumns(lineBase, into: targetBase + y * width * 3)
          }
        }
      }
      count = width * rows.count * 3
    }
    return FloatImage(width: width, height: rows.count, pixels: pixels)
  }

  private func gatherRow(
    _ row: Span, _ source: UnsafePointer<UInt8>, into line: UnsafeMutablePointer<Float>, count: Int
  ) {
    line.initialize(repeating: 0, count: count)
    for (tap, weight) in row.weights.enumerated() {
      let from = source + (row.start + tap) * count
      for x in 0..<count { line[x] += weight * Float(from[x]) }
    }
  }

  private func gatherColumns(_ line: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    for (x, column) in columns.enumerated() {
      var red: Float = 0, green: Float = 0, blue: Float = 0
      var pixel = line + column.start * 3
      for weight in column.weights {
        red += weight * pixel[0]
        green += weight * pixel[1]
        blue += weight * pixel[2]
        pixel += 3
      }
      target[x * 3] = red
      target[x * 3 + 1] = green
      target[x * 3 + 2] = blue
    }
  }
}

import Kernels
import TensorCore

// This file works on pointers: bounds are proven once from the weights, not checked at every pixel.

/// A small square of grey from a picture: Pillow's `convert("L")` and then `resize` with the Lanczos filter, the width
/// first, byte for byte. No grey picture of full size is made.
struct GreyResample: Sendable {
  private let side: Int
  private let columns: ColumnResample
  private let rows: RowCombination
  private let rowWeights: FixedPointWeights

  /// Those of the sizes met last: pictures of one camera share it, and their weights are thousands of sines.
  private static let memory = Lock<[[Int]: GreyResample]>([:])

  /// One for pictures of an image's size.
  static func shared(for image: RGBImage, side: Int) -> GreyResample {
    let size = [image.width, image.height, side]
    if let known = memory.withLock({ $0[size] }) { return known }
    let new = GreyResample(from: image, side: side)
    memory.withLock {
      if $0.count >= 16 { $0.removeAll() }
      $0[size] = new
    }
    return new
  }

  private init(from image: RGBImage, side: Int) {
    func weights(_ length: Int) -> FixedPointWeights {
      FixedPointWeights(
        .lanczos, sourceSize: length, from: 0, to: Float(length), targetSize: side, window: 0..<side)
    }
    self.side = side
    rowWeights = weights(image.height)
    columns = ColumnResample(.grey, sourceWidth: image.width, weights(image.width))
    rows = RowCombination(rowWeights)
  }

  /// Rows of the square.
  func pixels(of image: RGBImage) -> [UInt8] {
    let narrow = narrowRows(of: image)
    return [UInt8](unsafeUninitializedCapacity: side * side) { target, count in
      narrow.withUnsafeBufferPointer { narrow in
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: rows.lineCapacity) { lines in
          guard let narrow = narrow.baseAddress, let target = target.baseAddress,
            let lines = lines.baseAddress
          else { return }
          for row in 0..<side {
            let start = rowWeights.starts[row], taps = rowWeights.counts[row]
            for tap in 0..<taps { lines[tap] = UnsafeRawPointer(narrow + (start + tap) * side) }
            rows.run(row, lines: lines, count: taps, byteCount: side, into: target + row * side)
          }
          count = side * side
        }
      }
    }
  }

  /// All rows of the picture in grey, as wide as the square.
  private func narrowRows(of image: RGBImage) -> [UInt8] {
    let together = ColumnResample.rowsTogether
    return [UInt8](unsafeUninitializedCapacity: image.height * side) { target, count in
      image.pixels.withUnsafeBufferPointer { source in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: together * image.width) { grey in
          guard let source = source.baseAddress, let target = target.baseAddress, let grey = grey.baseAddress
          else { return }
          for first in stride(from: 0, to: image.height, by: together) {
            let rows = min(together, image.height - first)
            // Rows lie side by side in both.
            KernelSet.best.integer.lighten(source + first * image.rowBytes, grey, rows * image.width)
            columns.run(grey, stride: image.width, rows: rows, into: target + first * side, stride: side)
          }
          count = image.height * side
        }
      }
    }
  }
}

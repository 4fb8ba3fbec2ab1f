import CIntrinsics

/// Rows of pixels made narrower or wider, in fixed point: one axis of a picture resampled.
package struct ColumnResample: Sendable {
  /// What a row consists of.
  package enum Pixels: Sendable {
    /// Red, green and blue bytes.
    case rgb
    /// One byte each.
    case grey

    package var byteCount: Int { self == .rgb ? 3 : 1 }
  }

  /// What is made of one source row and what of another is computed together, so many at a time.
  package static let rowsTogether = 4

  private let pixels: Pixels
  private let sourceWidth: Int
  /// Source pixels that one target pixel reads, a multiple of a step.
  private let span: Int
  private let steps: Int
  private let firsts: [Int32]
  private let weights: [Int16]
  private let precision: Int32
  private let resample: @convention(c) (UnsafePointer<ApusColumnResample>) -> Void

  /// - Parameters:
  ///   - sourceWidth: pixels of a source row, 1 to 2³¹.
  ///   - starts: the first source pixel of each target pixel.
  ///   - counts: the source pixels of each target pixel, all of them within the row; at most `taps`.
  ///   - weights: `taps` for each target pixel, in units of 2 to the power of minus `precision`; zero after the count.
  ///   - precision: from 1 to 30.
  package init(
    _ pixels: Pixels, sourceWidth: Int, starts: [Int], counts: [Int], weights: [Int32], taps: Int,
    precision: Int32, kernels: KernelSet = .best
  ) {
    let lanes = kernels.integer.lanes
    let pixelsPerStep = pixels == .rgb ? lanes / 2 : 2 * lanes
    let steps = max((counts.max() ?? 0) + pixelsPerStep - 1, 1) / pixelsPerStep
    let span = steps * pixelsPerStep
    // A row that ends within the last step is read from further left, or with zeros behind it.
    let firsts = starts.map { min($0, max(sourceWidth - span, 0)) }
    var halves = [Int16](repeating: 0, count: starts.count * steps * 4 * lanes)
    for column in starts.indices {
      let shift = starts[column] - firsts[column]
      for tap in 0..<counts[column] {
        let (step, pixel) = (shift + tap).quotientAndRemainder(dividingBy: pixelsPerStep)
        let vector = (column * steps + step) * 4 * lanes
        let weight = weights[column * taps + tap]
        for place in Self.places(of: pixel, pixels) {
          halves[vector + place] = FixedPointHalves.low(weight)
          halves[vector + 2 * lanes + place] = FixedPointHalves.high(weight)
        }
      }
    }
    (self.pixels, self.sourceWidth, self.span, self.steps) = (pixels, sourceWidth, span, steps)
    (self.firsts, self.weights, self.precision) = (firsts.map { Int32(clamping: $0) }, halves, precision)
    resample = pixels == .rgb ? kernels.integer.resampleRGB : kernels.integer.resampleGrey
  }

  /// Where a step has the weight of a pixel; see `apus_load_rgb_pairs`.
  private static func places(of pixel: Int, _ pixels: Pixels) -> StrideTo<Int> {
    switch pixels {
    case .rgb:
      let first = pixel / 2 * 8 + pixel % 2
      return stride(from: first, to: first + 6, by: 2)
    case .grey: return stride(from: pixel, to: pixel + 1, by: 1)
    }
  }

  /// - Parameters:
  ///   - source: `rows` rows of the width that was said, `sourceStride` bytes apart.
  ///   - target: room for as many rows of the target's pixels, `targetStride` bytes apart.
  package func run(
    _ source: UnsafePointer<UInt8>, stride sourceStride: Int, rows: Int,
    into target: UnsafeMutablePointer<UInt8>, stride targetStride: Int
  ) {
    guard sourceWidth < span else {
      return runWide(source, stride: sourceStride, rows: rows, into: target, stride: targetStride)
    }
    let rowBytes = sourceWidth * pixels.byteCount, padded = span * pixels.byteCount
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: padded * rows) { copy in
      guard let copy = copy.baseAddress else { return }
      for row in 0..<rows {
        let line = copy + row * padded
        line.update(from: source + row * sourceStride, count: rowBytes)
        (line + rowBytes).update(repeating: 0, count: padded - rowBytes)
      }
      runWide(copy, stride: padded, rows: rows, into: target, stride: targetStride)
    }
  }

  /// Rows that are no shorter than what a target pixel reads.
  private func runWide(
    _ source: UnsafePointer<UInt8>, stride sourceStride: Int, rows: Int,
    into target: UnsafeMutablePointer<UInt8>, stride targetStride: Int
  ) {
    firsts.withUnsafeBufferPointer { firsts in
      weights.withUnsafeBufferPointer { weights in
        guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
        var arguments = ApusColumnResample(
          source: source, sourceStride: sourceStride, target: target, targetStride: targetStride, rows: rows,
          columns: self.firsts.count, firsts: firsts, weights: weights, steps: steps,
          lowBits: FixedPointHalves.lowBits, start: 1 << (precision - 1), shift: precision)
        resample(&arguments)
      }
    }
  }
}

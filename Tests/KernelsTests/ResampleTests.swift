import Kernels
import TestSupport
import Testing

/// Rows and columns resampled in fixed point: every instruction set gives the sums of a plain loop, to the bit.
@Suite struct ResampleTests {
  private static let sets = KernelSet.available.map(\.name)
  /// 22 fraction bits are Pillow's; torchvision's weights have fewer.
  private static let precisions: [Int32] = [22, 14, 1]

  /// Which source pixels a target pixel is made of, anywhere within a row.
  private struct Windows {
    let taps: Int
    var starts: [Int] = []
    var counts: [Int] = []
    var weights: [Int32] = []

    /// Weights are negative and positive, up to twice as large as a filter's largest.
    init(source: Int, target: Int, taps: Int, precision: Int32, _ random: inout SeededRandom) {
      self.taps = taps
      let limit = Int32(2) << precision
      for _ in 0..<target {
        let count = Int.random(in: 1...min(taps, source), using: &random)
        counts.append(count)
        starts.append(Int.random(in: 0...(source - count), using: &random))
        weights += (0..<taps).map { $0 < count ? Int32.random(in: -limit...limit, using: &random) : 0 }
      }
    }

    /// The target pixel of bytes that `byte` has for each source pixel.
    func value(_ target: Int, precision: Int32, _ byte: (Int) -> UInt8) -> UInt8 {
      var sum: Int32 = 1 << (precision - 1)
      for tap in 0..<counts[target] {
        sum &+= Int32(byte(starts[target] + tap)) &* weights[target * taps + tap]
      }
      return UInt8(min(max(sum >> precision, 0), 255))
    }
  }

  @Test(arguments: sets)
  func columns(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for pixels in [ColumnResample.Pixels.rgb, .grey] {
      for source in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 200] {
        for (taps, rows) in [(1, 1), (2, 4), (3, 5), (8, 3), (9, 2), (17, 7), (33, 4), (70, 6)] {
          let precision = Self.precisions[(source + taps) % 3]
          let windows = Windows(source: source, target: 11, taps: taps, precision: precision, &random)
          let resample = ColumnResample(
            pixels, sourceWidth: source, starts: windows.starts, counts: windows.counts,
            weights: windows.weights,
            taps: taps, precision: precision, kernels: kernels)
          let channels = pixels.byteCount, stride = source * channels + 5
          let bytes = random.bytes(stride * (rows - 1) + source * channels)
          let targetStride = 11 * channels + 2
          var found = [UInt8](repeating: 7, count: targetStride * rows)
          let guarded = try #require(GuardedBytes(bytes))
          found.withUnsafeMutableBufferPointer { found in
            guard let target = found.baseAddress else { return }
            resample.run(guarded.start, stride: stride, rows: rows, into: target, stride: targetStride)
          }
          var wanted = [UInt8](repeating: 7, count: targetStride * rows)
          for row in 0..<rows {
            for column in 0..<11 {
              for channel in 0..<channels {
                wanted[row * targetStride + column * channels + channel] = windows.value(
                  column, precision: precision
                ) { bytes[row * stride + $0 * channels + channel] }
              }
            }
          }
          #expect(
            found == wanted, "\(pixels) \(source) pixels, \(taps) taps, \(rows) rows, seed \(random.seed)")
        }
      }
    }
  }

  @Test(arguments: sets)
  func rows(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for byteCount in Array(1...70) + [96, 97, 127, 672] {
      for taps in [1, 2, 3, 4, 9, 28] {
        let precision = Self.precisions[(byteCount + taps) % 3]
        let windows = Windows(source: 40, target: 3, taps: taps, precision: precision, &random)
        let combination = RowCombination(
          weights: windows.weights, taps: taps, precision: precision, kernels: kernels)
        let bytes = random.bytes(40 * byteCount)
        let guarded = try #require(GuardedBytes(bytes))
        for row in 0..<3 {
          var found = [UInt8](repeating: 7, count: byteCount + 1)
          found.withUnsafeMutableBufferPointer { found in
            withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: combination.lineCapacity) {
              lines in
              guard let target = found.baseAddress, let lines = lines.baseAddress else { return }
              for tap in 0..<windows.counts[row] {
                lines[tap] = UnsafeRawPointer(guarded.start + (windows.starts[row] + tap) * byteCount)
              }
              combination.run(
                row, lines: lines, count: windows.counts[row], byteCount: byteCount, into: target)
            }
          }
          let wanted = (0..<byteCount).map { place in
            windows.value(row, precision: precision) { bytes[$0 * byteCount + place] }
          }
          #expect(found == wanted + [7], "\(byteCount) bytes, \(taps) taps, seed \(random.seed)")
        }
      }
    }
  }

  @Test(arguments: sets)
  func lightness(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for count in Array(1...70) + [500] {
      let pixels = (0..<(3 * count)).map { _ in
        Bool.random(using: &random) ? 255 : UInt8.random(in: 0...255, using: &random)
      }
      var found = [UInt8](repeating: 7, count: count + 1)
      let guarded = try #require(GuardedBytes(pixels))
      found.withUnsafeMutableBytes { found in
        if let target = found.baseAddress { kernels.integer.lighten(guarded.start, target, count) }
      }
      let wanted = (0..<count).map { pixel in
        let light =
          19595 * Int(pixels[3 * pixel]) + 38470 * Int(pixels[3 * pixel + 1]) + 7471
          * Int(pixels[3 * pixel + 2])
        return UInt8((light + 0x8000) >> 16)
      }
      #expect(found == wanted + [7], "\(count) pixels, seed \(random.seed)")
    }
  }
}

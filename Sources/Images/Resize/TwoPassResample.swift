import Kernels

// This file works on pointers: bounds are proven once from the weights, not checked at every pixel.

/// Resamples along both axes in fixed point, rounding to bytes after each.
struct TwoPassResample {
  private let columns: ColumnResample
  private let rows: RowCombination
  /// Source pixels, and for each target row its source rows.
  private let columnReach: Range<Int>
  private let rowWeights: FixedPointWeights
  /// Which axis comes first.
  private let heightFirst: Bool
  /// Target pixels in a row.
  private let width: Int
  private let rowBytes: Int

  private static let rowsTogether = ColumnResample.rowsTogether

  /// - Parameters:
  ///   - sourceWidth: pixels in a row of the source.
  ///   - columns, rows: for each target pixel of a row and of a column.
  init(
    sourceWidth: Int, columns: FixedPointWeights, rows: FixedPointWeights, heightFirst: Bool,
    kernels: KernelSet = .best
  ) {
    self.columns = ColumnResample(.rgb, sourceWidth: sourceWidth, columns, kernels: kernels)
    self.rows = RowCombination(rows, kernels: kernels)
    (columnReach, rowWeights, self.heightFirst) = (columns.reach, rows, heightFirst)
    (width, rowBytes) = (columns.starts.count, sourceWidth * 3)
  }

  /// The target's rows of 3 bytes for each column.
  /// - Parameter source: rows of 3 bytes for each pixel.
  func run(_ source: [UInt8]) -> [UInt8] {
    let byteCount = rowWeights.starts.count * width * 3
    guard rowWeights.reach.upperBound * rowBytes <= source.count, columnReach.upperBound * 3 <= rowBytes
    else {
      return [UInt8](repeating: 0, count: byteCount)
    }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      source.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        if heightFirst { runHeightFirst(source, into: target) } else { runWidthFirst(source, into: target) }
        count = byteCount
      }
    }
  }

  /// Each target row is the weighted sum of source rows, narrowed.
  private func runHeightFirst(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
    let count = rowWeights.starts.count
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.rowsTogether * rowBytes) { sums in
      withLines { lines in
        guard let sums = sums.baseAddress else { return }
        for first in stride(from: 0, to: count, by: Self.rowsTogether) {
          let together = min(Self.rowsTogether, count - first)
          for row in 0..<together {
            combine(
              first + row, of: lines, byteCount: columnReach.upperBound * 3, into: sums + row * rowBytes
            ) { source + $0 * rowBytes }
          }
          columns.run(
            sums, stride: rowBytes, rows: together, into: target + first * width * 3, stride: width * 3)
        }
      }
    }
  }

  /// Each target row is the weighted sum of narrowed source rows. Source rows are narrowed, some at a time, when a
  /// target row first needs one of them, and kept in a ring while target rows may need them.
  private func runWidthFirst(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
    let lineBytes = width * 3, together = Self.rowsTogether, reach = rowWeights.reach
    // A window of rows begins and ends anywhere within what is narrowed together.
    let capacity = (min(rowWeights.taps, reach.count) + 2 * (together - 1)) / together * together
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity * lineBytes) { ring in
      withLines { lines in
        guard let ring = ring.baseAddress else { return }
        let place = { (row: Int) in ring + (row - reach.lowerBound) % capacity * lineBytes }
        var ready = reach.lowerBound
        for row in rowWeights.starts.indices {
          let start = rowWeights.starts[row], end = start + rowWeights.counts[row]
          if ready < start { ready = start - (start - reach.lowerBound) % together }
          while ready < end {
            columns.run(
              source + ready * rowBytes, stride: rowBytes, rows: min(together, reach.upperBound - ready),
              into: place(ready), stride: lineBytes)
            ready += together
          }
          combine(row, of: lines, byteCount: lineBytes, into: target + row * lineBytes) {
            UnsafePointer(place($0))
          }
        }
      }
    }
  }

  private func withLines(_ body: (UnsafeMutablePointer<UnsafeRawPointer>) -> Void) {
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: rows.lineCapacity) { lines in
      if let lines = lines.baseAddress { body(lines) }
    }
  }

  /// One target row.
  /// - Parameter line: where the row of the source, or what became of it, is.
  private func combine(
    _ row: Int, of lines: UnsafeMutablePointer<UnsafeRawPointer>, byteCount: Int,
    into target: UnsafeMutablePointer<UInt8>, line: (Int) -> UnsafePointer<UInt8>
  ) {
    let start = rowWeights.starts[row], count = rowWeights.counts[row]
    for tap in 0..<count { lines[tap] = UnsafeRawPointer(line(start + tap)) }
    rows.run(row, lines: lines, count: count, byteCount: byteCount, into: target)
  }
}

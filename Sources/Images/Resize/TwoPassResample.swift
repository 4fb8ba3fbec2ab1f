// This file works on pointers: bounds are proven once from the weights, not checked at every pixel.

/// Resamples along both axes in fixed point.
struct TwoPassResample {
  let columns: FixedPointWeights
  let rows: FixedPointWeights
  /// Which axis comes first.
  let heightFirst: Bool

  /// Target pixels in a row.
  private var width: Int { columns.starts.count }

  /// - Parameters:
  ///   - source: rows of `rowBytes` bytes that hold every pixel the weights name.
  ///   - target: room for the target's rows of 3 bytes for each column.
  func run(
    _ source: UnsafeBufferPointer<UInt8>, rowBytes: Int, into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let sourceBase = source.baseAddress, let targetBase = target.baseAddress,
      rows.reach.upperBound * rowBytes <= source.count, columns.reach.upperBound * 3 <= rowBytes,
      rows.starts.count * width * 3 <= target.count
    else { return }
    if heightFirst {
      runHeightFirst(sourceBase, rowBytes: rowBytes, into: targetBase)
    } else {
      runWidthFirst(sourceBase, rowBytes: rowBytes, into: targetBase)
    }
  }

  /// Each target row is the weighted sum of source rows, narrowed.
  private func runHeightFirst(
    _ source: UnsafePointer<UInt8>, rowBytes: Int, into target: UnsafeMutablePointer<UInt8>
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rowBytes) { sum in
      withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: rows.taps) { lines in
        guard let sum = sum.baseAddress else { return }
        for row in rows.starts.indices {
          let start = rows.starts[row], count = rows.counts[row]
          for tap in 0..<count { lines[tap] = source + (start + tap) * rowBytes }
          combine(lines, count: count, row: row, byteCount: columns.reach.upperBound * 3, into: sum)
          resampleRow(sum, into: target + row * width * 3)
        }
      }
    }
  }

  /// Each target row is the weighted sum of narrowed source rows. A source row is narrowed when a target row
  /// first needs it, and kept in a ring while target rows may need it.
  private func runWidthFirst(
    _ source: UnsafePointer<UInt8>, rowBytes: Int, into target: UnsafeMutablePointer<UInt8>
  ) {
    let lineBytes = width * 3
    let capacity = min(rows.taps, max(rows.reach.count, 1))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity * lineBytes) { ring in
      withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: capacity) { lines in
        guard let ring = ring.baseAddress else { return }
        var ready = rows.reach.lowerBound
        for row in rows.starts.indices {
          let start = rows.starts[row], count = rows.counts[row]
          ready = max(ready, start)
          while ready < start + count {
            resampleRow(source + ready * rowBytes, into: ring + (ready % capacity) * lineBytes)
            ready += 1
          }
          for tap in 0..<count { lines[tap] = UnsafePointer(ring + ((start + tap) % capacity) * lineBytes) }
          combine(lines, count: count, row: row, byteCount: lineBytes, into: target + row * lineBytes)
        }
      }
    }
  }

  /// One source row to the target's width.
  private func resampleRow(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
    let taps = columns.taps
    columns.weights.withUnsafeBufferPointer { weights in
      columns.starts.withUnsafeBufferPointer { starts in
        columns.counts.withUnsafeBufferPointer { counts in
          guard var weight = weights.baseAddress else { return }
          let precision = columns.precision, half: Int32 = 1 << (precision - 1)
          for x in 0..<width {
            var pixel = source + starts[x] &* 3
            var red = half, green = half, blue = half
            for tap in 0..<counts[x] {
              red &+= Int32(pixel[0]) &* weight[tap]
              green &+= Int32(pixel[1]) &* weight[tap]
              blue &+= Int32(pixel[2]) &* weight[tap]
              pixel += 3
            }
            target[x &* 3] = clip(red, precision)
            target[x &* 3 &+ 1] = clip(green, precision)
            target[x &* 3 &+ 2] = clip(blue, precision)
            weight += taps
          }
        }
      }
    }
  }

  /// The weighted sum of rows of `byteCount` bytes.
  ///
  /// Weights are cut into halves of 16 bits, because vector units of any age multiply those.
  private func combine(
    _ lines: UnsafeMutableBufferPointer<UnsafePointer<UInt8>>, count: Int, row: Int, byteCount: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: byteCount * 2) { sums in
      guard let low = sums.baseAddress, count > 0 else { return }
      let high = low + byteCount
      let precision = rows.precision
      low.initialize(repeating: 1 << (precision - 1), count: byteCount)
      high.initialize(repeating: 0, count: byteCount)
      var tap = 0
      while tap < count {
        let first = rows.weights[row * rows.taps + tap]
        // An odd tap at the end is paired with a weight of zero.
        let second = tap + 1 < count ? rows.weights[row * rows.taps + tap + 1] : 0
        Self.addPair(lines[tap], lines[min(tap + 1, count - 1)], first, second, low, high, byteCount)
        tap += 2
      }
      for x in 0..<byteCount { target[x] = clip(low[x] &+ high[x] &<< Self.lowBits, precision) }
    }
  }

  private static let lowBits: Int32 = 11

  /// Adds the products of two rows with the lower 11 bits of their weights to `low`, and with the rest of
  /// their weights to `high`.
  private static func addPair(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ first: Int32, _ second: Int32,
    _ low: UnsafeMutablePointer<Int32>, _ high: UnsafeMutablePointer<Int32>, _ count: Int
  ) {
    let mask: Int32 = 1 << lowBits - 1
    let firstLow = Int16(truncatingIfNeeded: first & mask),
      secondLow = Int16(truncatingIfNeeded: second & mask)
    let firstHigh = Int16(truncatingIfNeeded: first >> lowBits)
    let secondHigh = Int16(truncatingIfNeeded: second >> lowBits)
    for x in 0..<count {
      let p = Int32(a[x]), q = Int32(b[x])
      low[x] = low[x] &+ (p &* Int32(firstLow) &+ q &* Int32(secondLow))
      high[x] = high[x] &+ (p &* Int32(firstHigh) &+ q &* Int32(secondHigh))
    }
  }

  @inline(__always)
  private func clip(_ sum: Int32, _ precision: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum &>> precision, 0), 255))
  }
}

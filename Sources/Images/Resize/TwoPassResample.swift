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
          for x in 0..<width {
            var pixel = source + starts[x] &* 3
            var red = roundingHalf, green = roundingHalf, blue = roundingHalf
            for tap in 0..<counts[x] {
              red &+= Int32(pixel[0]) &* weight[tap]
              green &+= Int32(pixel[1]) &* weight[tap]
              blue &+= Int32(pixel[2]) &* weight[tap]
              pixel += 3
            }
            target[x &* 3] = clip(red)
            target[x &* 3 &+ 1] = clip(green)
            target[x &* 3 &+ 2] = clip(blue)
            weight += taps
          }
        }
      }
    }
  }

  /// The weighted sum of rows of `byteCount` bytes.
  private func combine(
    _ lines: UnsafeMutableBufferPointer<UnsafePointer<UInt8>>, count: Int, row: Int, byteCount: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    rows.weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress, let lines = lines.baseAddress else { return }
      let weight = base + row &* rows.taps
      var x = 0
      while x &+ 16 <= byteCount {
        var sum = SIMD16<Int32>(repeating: roundingHalf)
        for tap in 0..<count {
          let bytes = UnsafeRawPointer(lines[tap] + x).loadUnaligned(as: SIMD16<UInt8>.self)
          sum &+= SIMD16<Int32>(truncatingIfNeeded: bytes) &* weight[tap]
        }
        let high = sum &>> FixedPointWeights.precision
        let clipped = high.replacing(with: 0, where: high .< 0)
        let bounded = clipped.replacing(with: 255, where: clipped .> 255)
        UnsafeMutableRawPointer(target + x).storeBytes(
          of: SIMD16<UInt8>(truncatingIfNeeded: bounded), as: SIMD16<UInt8>.self)
        x &+= 16
      }
      while x < byteCount {
        var sum = roundingHalf
        for tap in 0..<count { sum &+= Int32(lines[tap][x]) &* weight[tap] }
        target[x] = clip(sum)
        x &+= 1
      }
    }
  }

  private var roundingHalf: Int32 { 1 << (FixedPointWeights.precision - 1) }

  @inline(__always)
  private func clip(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum &>> FixedPointWeights.precision, 0), 255))
  }
}

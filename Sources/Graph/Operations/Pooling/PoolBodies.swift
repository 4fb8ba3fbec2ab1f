import TensorCore

/// The geometry of a pooling operation over images in NHWC order.
struct PoolLayout: Sendable {
  let rows: SpatialWindow
  let columns: SpatialWindow
  let channels: Int

  /// Rows of the result that are worth a chunk of their own.
  var grain: Int {
    let work = rows.filterSize &* columns.filterSize &* channels &* columns.outputSize
    return max(1, (1 << 15) / max(1, work))
  }
}

/// One position of the result: the taps that fall on the image, and where its channels lie.
struct PoolPosition {
  /// The element of the first channel under the window's first tap on the image.
  let origin: Int
  let tapRows: Int
  let tapColumns: Int
  /// Elements from one row of the image to the next.
  let rowStride: Int
  var taps: Int { tapRows &* tapColumns }
}

extension KernelArguments {
  /// Calls `body` for each position of the result with the elements of its channels.
  @inline(__always)
  func forEachPosition<Element: BitwiseCopyable>(
    _ layout: PoolLayout,
    _ body: (PoolPosition, UnsafeBufferPointer<Element>, UnsafeMutableBufferPointer<Element>) -> Void
  ) {
    let image = input(0, as: Element.self)
    let result = output(0, as: Element.self)
    guard result.count > 0 else { return }
    let channels = layout.channels
    let rowStride = layout.columns.inputSize * channels
    let resultRows = result.count / (layout.columns.outputSize * channels)
    parallel(resultRows, grain: layout.grain) { range in
      for row in range {
        let (batch, y) = row.quotientAndRemainder(dividingBy: layout.rows.outputSize)
        let tapRows = layout.rows.taps(y)
        let firstRow = batch * layout.rows.inputSize + layout.rows.position(y, tap: tapRows.lowerBound)
        for x in 0..<layout.columns.outputSize {
          let tapColumns = layout.columns.taps(x)
          let firstColumn = layout.columns.position(x, tap: tapColumns.lowerBound)
          let start = (row * layout.columns.outputSize + x) * channels
          body(
            PoolPosition(
              origin: firstRow * rowStride + firstColumn * channels, tapRows: tapRows.count,
              tapColumns: tapColumns.count, rowStride: rowStride),
            image, UnsafeMutableBufferPointer(rebasing: result[start..<start + channels]))
        }
      }
    }
  }
}

/// Calls `body` with the offset of each tap's first channel, row by row.
@inline(__always)
private func forEachTap(_ position: PoolPosition, channels: Int, _ body: (Int) -> Void) {
  for row in 0..<position.tapRows {
    for column in 0..<position.tapColumns {
      body(position.origin &+ row &* position.rowStride &+ column &* channels)
    }
  }
}

/// The greatest element of each window, clamped. NaN never counts as greater.
func greatestBody<Element: Comparable & TensorElement>(
  _ layout: PoolLayout, _ lower: Element, _ upper: Element
) -> Lowering.Body {
  return {
    $0.forEachPosition(layout) { (position, image: UnsafeBufferPointer<Element>, result) in
      let channels = result.count
      for channel in 0..<channels { result[channel] = image[position.origin + channel] }
      forEachTap(position, channels: channels) { offset in
        let tap = UnsafeBufferPointer(rebasing: image[offset..<offset + channels])
        for channel in 0..<channels { result[channel] = max(result[channel], tap[channel]) }
      }
      for channel in 0..<channels { result[channel] = min(upper, max(lower, result[channel])) }
    }
  }
}

/// The root of the mean of each window's squares.
func rootMeanSquareBody(_ layout: PoolLayout, _ clamp: FloatClamp) -> Lowering.Body {
  return {
    $0.forEachPosition(layout) { (position, image: UnsafeBufferPointer<Float>, result) in
      let channels = result.count
      for channel in 0..<channels { result[channel] = 0 }
      forEachTap(position, channels: channels) { offset in
        let tap = UnsafeBufferPointer(rebasing: image[offset..<offset + channels])
        for channel in 0..<channels { result[channel] += tap[channel] * tap[channel] }
      }
      let count = Float(position.taps)
      for channel in 0..<channels { result[channel] = clamp((result[channel] / count).squareRoot()) }
    }
  }
}

/// The mean of each window in whole steps: halves away from zero, or upward for unsigned elements.
func integerAverageBody<Element: QuantizedElement>(
  _ layout: PoolLayout, _ range: ClosedRange<Int32>, _: Element.Type
) -> Lowering.Body {
  return {
    $0.forEachPosition(layout) { (position, image: UnsafeBufferPointer<Element>, result) in
      // 1024 bytes, the most that is sure to come from the stack.
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { sums in
        for block in stride(from: 0, to: result.count, by: 256) {
          let channels = min(256, result.count - block)
          averageBlock(
            position, image, block, channels, UnsafeMutableBufferPointer(rebasing: sums[0..<channels]),
            result, range)
        }
      }
    }
  }
}

@inline(__always)
private func averageBlock<Element: QuantizedElement>(
  _ position: PoolPosition, _ image: UnsafeBufferPointer<Element>, _ block: Int, _ channels: Int,
  _ sums: UnsafeMutableBufferPointer<Int32>, _ result: UnsafeMutableBufferPointer<Element>,
  _ range: ClosedRange<Int32>
) {
  for channel in 0..<channels { sums[channel] = 0 }
  forEachTap(position, channels: result.count) { offset in
    let tap = UnsafeBufferPointer(rebasing: image[offset + block..<offset + block + channels])
    for channel in 0..<channels { sums[channel] &+= Int32(tap[channel]) }
  }
  let count = Int32(truncatingIfNeeded: max(1, position.taps))
  let half = count / 2
  for channel in 0..<channels {
    let sum = sums[channel]
    let nudged = sum > 0 || !Element.isSigned ? sum &+ half : sum &- half
    let mean = nudged.dividedReportingOverflow(by: count).partialValue
    result[block + channel] = Element(truncatingIfNeeded: min(range.upperBound, max(range.lowerBound, mean)))
  }
}

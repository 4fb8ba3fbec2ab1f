import CIntrinsics
import TensorCore

/// The weights of a depthwise convolution, regrouped into blocks of as many channels as a vector has lanes.
package struct PackedDepthwise: Sendable {
  /// Whether 8-bit weights were packed for `depthwiseSquare`.
  package let isSquare: Bool
  /// Whether 8-bit weights were split in two because they do not fit a signed byte.
  package let hasSecondPart: Bool
  let storage: TensorStorage

  package var weights: UnsafeRawPointer { UnsafeRawPointer(storage.base) }
  package var byteCount: Int { storage.byteCount }

  /// Packs float weights [height, width, channels].
  package static func float32(
    _ weights: [Float], taps: Int, channels: Int, bias: [Float]?, kernels: KernelSet
  ) throws(ApusError) -> PackedDepthwise {
    let lanes = kernels.float.lanes
    let blocks = (channels + lanes - 1) / lanes
    let storage = try TensorStorage(byteCount: blocks * (1 + taps) * lanes * 4)
    let target = storage.base.assumingMemoryBound(to: Float.self)
    for channel in 0..<channels {
      let place = channel / lanes * (1 + taps) * lanes + channel % lanes
      target[place] = bias?[channel] ?? 0
      for tap in 0..<taps { target[place + (1 + tap) * lanes] = weights[tap * channels + channel] }
    }
    return PackedDepthwise(isSquare: false, hasSecondPart: false, storage: storage)
  }

  /// The side of an undilated window for which `depthwiseSquare` was compiled; nil for windows that it does not know.
  package static func squareSide(height: Int, width: Int, strideX: Int) -> Int? {
    let isKnown = [3, 5, 7].contains(width) && [1, 2].contains(strideX)
    return height == width && isKnown ? width : nil
  }

  /// Packs 8-bit weights, given as what they stand for: stored value less zero point, −255…255.
  /// - Parameters:
  ///   - weights: [height, width, channels].
  ///   - squareSide: the window's side, if `depthwiseSquare` knows it.
  package static func integer8(
    _ weights: [Int32], taps: Int, channels: Int, bias: [Int32]?, quantization: IntegerQuantization,
    squareSide: Int?, kernels: KernelSet
  ) throws(ApusError) -> PackedDepthwise {
    let lanes = kernels.integer.lanes
    let blocks = (channels + lanes - 1) / lanes
    // 255 is no sum of two signed bytes.
    let square = weights.contains(255) ? nil : squareSide.map { SquareWindow(side: $0, lanes: lanes) }
    let twoParts = square != nil && weights.contains { !(-128...127).contains($0) }
    let tapVectors = square.map { $0.vectors * (twoParts ? 2 : 1) } ?? taps
    let tableBytes = RequantizationTable.byteCount(lanes: lanes)
    let blockBytes = (1 + tapVectors) * lanes * 4 + tableBytes
    let storage = try TensorStorage(byteCount: blocks * blockBytes)
    var reachable: [ClosedRange<Int>] = []
    for channel in 0..<channels {
      let target = storage.base + channel / lanes * blockBytes + channel % lanes * 4
      var (sum, positive): (Int32, Int32) = (0, 0)
      for tap in 0..<taps {
        let weight = weights[tap * channels + channel]
        sum &+= weight
        positive &+= max(0, weight)
        if let square {
          square.store(weight, tap: tap, to: target + lanes * 4)
        } else {
          target.storeBytes(of: weight, toByteOffset: (1 + tap) * lanes * 4, as: Int32.self)
        }
      }
      let start = (bias?[channel] ?? 0) &- quantization.unsignedInputZeroPoint &* sum
      target.storeBytes(of: start, as: Int32.self)
      reachable.append(Int(start) + 255 * Int(sum &- positive)...Int(start) + 255 * Int(positive))
    }
    let columns = RequantizedColumns(
      multipliers: quantization.multipliers[...], sums: reachable[...], quantization: quantization)
    let lines = try RequantizationLines(kernels)
    for block in 0..<blocks {
      let start = storage.base + block * blockBytes
      RequantizationTable.write(
        columns[block * lanes..<min(channels, (block + 1) * lanes)], lines: lines, lanes: lanes,
        starts: start,
        to: start + (1 + tapVectors) * lanes * 4)
    }
    return PackedDepthwise(isSquare: square != nil, hasSecondPart: twoParts, storage: storage)
  }

  /// Where the weights of a square window's taps lie: four rows of a column side by side.
  private struct SquareWindow {
    let side: Int
    let lanes: Int
    /// Of one part.
    var vectors: Int { (side + 3) / 4 * side }

    /// Stores a weight as a signed byte, what does not fit in the second part.
    func store(_ weight: Int32, tap: Int, to target: UnsafeMutableRawPointer) {
      let (row, column) = tap.quotientAndRemainder(dividingBy: side)
      let place = (row / 4 * side + column) * lanes * 4 + row % 4
      let first = Int8(clamping: weight)
      target.storeBytes(of: first, toByteOffset: place, as: Int8.self)
      if weight != first {
        let rest = Int8(truncatingIfNeeded: weight - Int32(first))
        target.storeBytes(of: rest, toByteOffset: place + vectors * lanes * 4, as: Int8.self)
      }
    }
  }
}

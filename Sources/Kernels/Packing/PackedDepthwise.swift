import CIntrinsics
import TensorCore

/// The weights of a depthwise convolution, regrouped into blocks of as many channels as a vector has lanes.
package struct PackedDepthwise: Sendable {
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
    return PackedDepthwise(hasSecondPart: false, storage: storage)
  }

  /// Packs 8-bit weights, given as what they stand for: stored value less zero point, −255…255.
  /// - Parameters:
  ///   - weights: [height, width, channels].
  ///   - is3x3: whether the 3×3 kernel is to be used.
  package static func integer8(
    _ weights: [Int32], taps: Int, channels: Int, bias: [Int32]?, quantization: IntegerQuantization,
    is3x3: Bool, kernels: KernelSet
  ) throws(ApusError) -> PackedDepthwise {
    let lanes = kernels.integer.lanes
    let blocks = (channels + lanes - 1) / lanes
    let twoParts = is3x3 && weights.contains { !(-128...127).contains($0) }
    let tapVectors = is3x3 ? (twoParts ? 6 : 3) : taps
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
        if is3x3 {
          store(weight, row: tap / 3, column: tap % 3, lanes: lanes, twoParts: twoParts, to: target)
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
    return PackedDepthwise(hasSecondPart: twoParts, storage: storage)
  }

  /// Stores one weight of a 3×3 window as a signed byte, what does not fit in the second part.
  private static func store(
    _ weight: Int32, row: Int, column: Int, lanes: Int, twoParts: Bool, to target: UnsafeMutableRawPointer
  ) {
    let first = min(127, max(-128, weight))
    target.storeBytes(
      of: Int8(truncatingIfNeeded: first), toByteOffset: (1 + column) * lanes * 4 + row, as: Int8.self)
    if twoParts {
      target.storeBytes(
        of: Int8(truncatingIfNeeded: weight - first), toByteOffset: (4 + column) * lanes * 4 + row,
        as: Int8.self)
    }
  }
}

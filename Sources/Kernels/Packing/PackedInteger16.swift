import CIntrinsics
import TensorCore

/// What kernels of int16 results read after the weights of one vector of columns.
enum WideScalingTable {
  static func byteCount(lanes: Int) -> Int { 24 * lanes }

  /// Factors, addends and shifts, side by side for as many columns as there are, at most `lanes`.
  static func write(_ scalings: ArraySlice<WideScaling>, lanes: Int, to table: UnsafeMutableRawPointer) {
    for (lane, scaling) in scalings.enumerated() {
      for (part, number) in [scaling.factor, scaling.addend, scaling.shift].enumerated() {
        table.storeBytes(of: number, toByteOffset: 8 * (part * lanes + lane), as: Int64.self)
      }
    }
  }
}

extension PackedMatrix {
  /// Packs int8 weights, those of a column side by side, for rows and results of int16.
  static func integer16(
    _ weights: UnsafeRawBufferPointer, columns: Int, depth: Int, scalings: ArraySlice<WideScaling>,
    kernels: KernelSet
  ) throws(ApusError) -> PackedMatrix {
    let lanes = kernels.integer.lanes
    let matrix = try PackedMatrix(
      columns: columns, depth: depth, format: .int16, lanes: lanes,
      tableBytes: WideScalingTable.byteCount(lanes: lanes))
    let elements = weights.bindMemory(to: Int8.self)
    for index in 0..<matrix.panelCount {
      let panel = matrix.panel(index)
      for (lane, column) in panel.columns.enumerated() {
        for k in 0..<depth {
          let place = 4 * (k / 2 * panel.width + lane) + 2 * (k % 2)
          let weight = elements[column * depth + k]
          panel.weights.storeBytes(of: Int16(weight), toByteOffset: place, as: Int16.self)
        }
      }
      for first in stride(from: 0, to: panel.columns.count, by: lanes) {
        let start = scalings.startIndex + panel.columns.lowerBound + first
        let count = min(lanes, panel.columns.count - first)
        WideScalingTable.write(
          scalings[start..<(start + count)], lanes: lanes,
          to: panel.table + first / lanes * WideScalingTable.byteCount(lanes: lanes))
      }
    }
    return matrix
  }
}

extension PackedDepthwise {
  /// The most taps whose products with int16 elements 32 bits hold.
  package static let mostTapsOfInteger16 = 511

  /// Packs int8 weights [height, width, channels] for images of int16.
  package static func integer16(
    _ weights: [Int8], taps: Int, scalings: [WideScaling], kernels: KernelSet
  ) throws(ApusError) -> PackedDepthwise {
    let lanes = kernels.integer.lanes
    let channels = scalings.count
    let blocks = (channels + lanes - 1) / lanes
    let blockBytes = taps * lanes * 4 + WideScalingTable.byteCount(lanes: lanes)
    let storage = try TensorStorage(byteCount: blocks * blockBytes)
    for block in 0..<blocks {
      let target = storage.base + block * blockBytes
      let range = (block * lanes)..<min(channels, (block + 1) * lanes)
      for (lane, channel) in range.enumerated() {
        for tap in 0..<taps {
          target.storeBytes(
            of: Int16(weights[tap * channels + channel]), toByteOffset: 4 * (tap * lanes + lane),
            as: Int16.self)
        }
      }
      WideScalingTable.write(scalings[range], lanes: lanes, to: target + taps * lanes * 4)
    }
    return PackedDepthwise(isSquare: false, hasSecondPart: false, storage: storage)
  }
}

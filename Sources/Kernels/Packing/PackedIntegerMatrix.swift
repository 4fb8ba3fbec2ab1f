import CIntrinsics
import TensorCore

extension PackedMatrix {
  /// Packs 8-bit weights for 8-bit results.
  /// - Parameters:
  ///   - weights: int8 or uint8 elements, those of a column side by side.
  ///   - bias: one number for each column, at the scale of the sums; zeros when nil.
  package static func requantizing(
    _ weights: UnsafeRawBufferPointer, columns: Int, depth: Int, bias: ArraySlice<Int32>?,
    quantization: IntegerQuantization, multipliers: ArraySlice<FixedPointMultiplier>, kernels: KernelSet
  ) throws(ApusError) -> PackedMatrix {
    let matrix = try PackedMatrix(
      columns: columns, depth: depth, format: .int8, lanes: kernels.integer.lanes,
      tableBytes: RequantizationTable.byteCount(lanes: kernels.integer.lanes))
    let flip: UInt8 = quantization.weightsAreSigned ? 0 : 0x80
    let sums = matrix.fill(weights, flip: flip, kernels)
    let inputZero = quantization.unsignedInputZeroPoint
    let constant =
      Int32(truncatingIfNeeded: depth) &* inputZero
      &* quantization.signedWeightZeroPoint
    let starts = sums.enumerated().map { column, sum in
      let start = bias.map { $0[$0.startIndex + column] } ?? 0
      return start &- inputZero &* sum.all &+ constant
    }
    matrix.setHeaders(starts)
    let reachable = zip(starts, sums).map { start, sum in
      sum.reach(depth: depth, zeroPoint: Int(quantization.signedWeightZeroPoint), from: Int(start))
    }
    let requantized = RequantizedColumns(
      multipliers: multipliers, sums: reachable[...], quantization: quantization)
    let lines = try RequantizationLines(kernels)
    for index in 0..<matrix.panelCount {
      let panel = matrix.panel(index)
      RequantizationTable.write(
        requantized[panel.columns], lines: lines, lanes: matrix.lanes, starts: panel.header, to: panel.table)
    }
    return matrix
  }

  /// Copies the weights with `flip` applied to each byte; returns the sums of each column as signed bytes.
  private func fill(
    _ weights: UnsafeRawBufferPointer, flip: UInt8, _ kernels: KernelSet
  ) -> [WeightSums] {
    var sums = [WeightSums](repeating: WeightSums(), count: columns)
    guard let base = weights.baseAddress else { return sums }
    let flip4 = UInt32(flip) &* 0x0101_0101
    let whole = depth / 4
    let hasPairs = kernels.integer.widensRows
    for index in 0..<panelCount {
      let panel = panel(index)
      for (lane, column) in panel.columns.enumerated() {
        let source = base + column * depth
        var group = panel.weights
        var sum = WeightSums()
        func add(_ bytes: UInt32) {
          if hasPairs {
            let pairs = unsafeBitCast(bytes, to: SIMD2<UInt16>.self)
            group.storeBytes(of: pairs.x, toByteOffset: 2 &* lane, as: UInt16.self)
            group.storeBytes(of: pairs.y, toByteOffset: 2 &* (panel.width &+ lane), as: UInt16.self)
          } else {
            group.storeBytes(of: bytes, toByteOffset: 4 &* lane, as: UInt32.self)
          }
          group += 4 &* panel.width
          sum.add(bytes)
        }
        for group in 0..<whole {
          add(source.loadUnaligned(fromByteOffset: 4 &* group, as: UInt32.self) ^ flip4)
        }
        if depth > 4 * whole {
          var last: UInt32 = 0
          for k in (4 * whole)..<depth {
            last |= UInt32(source.load(fromByteOffset: k, as: UInt8.self) ^ flip) << UInt32(8 * (k % 4))
          }
          add(last)
        }
        sums[column] = sum
      }
    }
    return sums
  }
  /// Sets the starting value of every column.
  private func setHeaders(_ values: [Int32]) {
    for index in 0..<panelCount {
      let panel = panel(index)
      for (lane, column) in panel.columns.enumerated() {
        panel.header.storeBytes(of: values[column], toByteOffset: 4 * lane, as: Int32.self)
      }
    }
  }
}

/// The sums of a column's weights, as signed bytes.
struct WeightSums {
  /// Of all of them, and of those that are positive.
  private(set) var all: Int32 = 0
  private(set) var positive: Int32 = 0

  /// Adds four bytes.
  @inline(__always)
  mutating func add(_ bytes: UInt32) {
    let bits = Int32(bitPattern: bytes)
    all &+= (bits << 24) >> 24 &+ (bits << 16) >> 24 &+ (bits << 8) >> 24 &+ bits >> 24
    // All ones in the bytes whose top bit is not set.
    let mask = ((~bytes & 0x8080_8080) >> 7) &* 0xff
    let pairs = (bytes & mask & 0x00ff_00ff) &+ ((bytes & mask) >> 8 & 0x00ff_00ff)
    positive &+= Int32(bitPattern: (pairs & 0xffff) &+ pairs >> 16)
  }

  /// The sums of products with unsigned bytes that there can be.
  /// - Parameters:
  ///   - zeroPoint: taken from every weight; where it is not 0 the range is wider than need be.
  ///   - start: the sum without any product.
  func reach(depth: Int, zeroPoint: Int, from start: Int) -> ClosedRange<Int> {
    let above = Int(positive) + depth * max(0, -zeroPoint)
    let below = Int(all) - Int(positive) - depth * max(0, zeroPoint)
    return start + 255 * below...start + 255 * above
  }
}

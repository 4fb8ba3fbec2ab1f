import CIntrinsics

/// Rows of bytes that are weighted sums of other rows, in fixed point: one axis of a picture resampled.
package struct RowCombination: Sendable {
  /// For each target row and pair of source rows the halves of their weights.
  private let weights: [Int32]
  private let pairs: Int
  private let precision: Int32
  private let combine: @convention(c) (UnsafePointer<ApusRowCombination>) -> Void

  /// - Parameters:
  ///   - weights: `taps` for each target row, in units of 2 to the power of minus `precision`; zero where there is no
  ///     source row.
  ///   - precision: from 1 to 30.
  package init(weights: [Int32], taps: Int, precision: Int32, kernels: KernelSet = .best) {
    let pairs = (taps + 1) / 2
    var halves: [Int32] = []
    halves.reserveCapacity(weights.count / max(taps, 1) * pairs * 2)
    for row in stride(from: 0, to: weights.count, by: max(taps, 1)) {
      for tap in stride(from: 0, to: taps, by: 2) {
        let first = weights[row + tap], second = tap + 1 < taps ? weights[row + tap + 1] : 0
        halves.append(FixedPointHalves.pair(FixedPointHalves.low(first), FixedPointHalves.low(second)))
        halves.append(FixedPointHalves.pair(FixedPointHalves.high(first), FixedPointHalves.high(second)))
      }
    }
    self.weights = halves
    (self.pairs, self.precision) = (pairs, precision)
    combine = kernels.integer.combineRows
  }

  /// Room that `lines` needs.
  package var lineCapacity: Int { 2 * pairs }

  /// - Parameters:
  ///   - row: the target row, below the number of them.
  ///   - lines: the `count` source rows of `byteCount` bytes, and room for ``lineCapacity``.
  ///   - count: at most as many as there are weights of a row, and at least one.
  package func run(
    _ row: Int, lines: UnsafeMutablePointer<UnsafeRawPointer>, count: Int, byteCount: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    // An odd one is paired with itself, times zero.
    if count % 2 == 1 { lines[count] = lines[count - 1] }
    weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      var arguments = ApusRowCombination(
        rows: UnsafePointer(lines), weights: base + row * pairs * 2, pairs: (count + 1) / 2, target: target,
        bytes: byteCount, lowBits: FixedPointHalves.lowBits, start: 1 << (precision - 1), shift: precision)
      combine(&arguments)
    }
  }
}

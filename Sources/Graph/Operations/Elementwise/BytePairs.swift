import Kernels
import TensorCore

extension BinaryMath {
  /// The lowering of two 8-bit tensors that a vector kernel pairs.
  func bytePairs(_ pairs: any QuantizedPairs, _ plan: BroadcastPlan, _ type: DataType) -> Lowering {
    Lowering("\(name) \(type.rawValue) vectors") { arguments in
      guard let a = arguments.inputAddress(0), let b = arguments.inputAddress(1) else { return }
      let rows = ByteRows(plan: plan, a: a, b: b, c: arguments.outputAddress(0))
      let isOneRow = plan.rowCount == 1
      arguments.parallel(
        isOneRow ? plan.rowLength : plan.rowCount,
        grain: isOneRow ? ByteRows.grain : max(1, ByteRows.grain / plan.rowLength)
      ) { rows.run(pairs, isOneRow: isOneRow, $0) }
    }
  }
}

/// Two 8-bit operands that broadcast, brought to a kernel that takes two rows of equal length.
///
/// An operand that stands still, or begins anew after each of many short rows, is written several times in a row for that.
private struct ByteRows {
  /// Bytes that are worth a chunk of their own: about 4 µs on one core.
  static let grain = 20_000
  /// Bytes of a repeated operand: with those that kernels read past it, 1024, the most that is sure to come from the stack.
  private static let repeatedBytes = 960

  let plan: BroadcastPlan
  let a: UnsafeRawPointer
  let b: UnsafeRawPointer
  let c: UnsafeMutableRawPointer

  /// - Parameter range: of results when there is one row only, else of rows.
  func run(_ pairs: any QuantizedPairs, isOneRow: Bool, _ range: Range<Int>) {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 64) { copies in
      guard let copies = copies.baseAddress else { return }
      if isOneRow {
        let repetition = plan.repetition(upTo: 1)
        let skipped = (
          a: repetition.first == nil ? range.lowerBound : 0,
          b: repetition.second == nil ? range.lowerBound : 0
        )
        run(pairs, a + skipped.a, b + skipped.b, c + range.lowerBound, range.count, repetition, copies)
        return
      }
      let repetition = plan.repetition(upTo: Self.repeatedBytes / 2)
      var row = range.lowerBound
      while row < range.upperBound {
        let rows = min(range.upperBound - row, plan.rowsInSequence(from: row, repetition))
        let origins = plan.origins(ofRow: row)
        run(
          pairs, a + origins.first, b + origins.second, c + row * plan.rowLength, rows * plan.rowLength,
          repetition, copies)
        row += rows
      }
    }
  }

  /// A sequence of results, along which one operand may repeat.
  private func run(
    _ pairs: any QuantizedPairs, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeMutableRawPointer,
    _ count: Int, _ repetition: BroadcastPlan.Repetition, _ copies: UnsafeMutableRawPointer
  ) {
    guard let period = repetition.first ?? repetition.second else {
      pairs.run(a, b, into: c, count: count)
      return
    }
    let block = Self.repeatedBytes / period * period
    let isFirst = repetition.first != nil
    repeatBytes(isFirst ? a : b, period, to: copies, min(block, count))
    var start = 0
    while start < count {
      let rest = min(block, count - start)
      if isFirst {
        pairs.run(copies, b + start, into: c + start, count: rest)
      } else {
        pairs.run(a + start, copies, into: c + start, count: rest)
      }
      start += block
    }
  }

  private func repeatBytes(
    _ source: UnsafeRawPointer, _ period: Int, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    target.copyMemory(from: source, byteCount: min(period, count))
    var written = period
    while written < count {
      let more = min(written, count - written)
      (target + written).copyMemory(from: target, byteCount: more)
      written += more
    }
  }
}

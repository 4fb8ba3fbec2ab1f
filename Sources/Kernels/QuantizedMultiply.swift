import CIntrinsics
import TensorCore

/// The product of two rows of bytes that stand for scaled numbers, prepared for the vector kernels.
package struct QuantizedMultiply: QuantizedPairs {
  private let kernel: @convention(c) (UnsafePointer<ApusQuantizedMultiply>) -> Void
  private let table: TensorStorage
  private let zeroPoints: (a: Int32, b: Int32)
  private let range: ClosedRange<Int32>
  private let isSigned: Bool
  private var line: Line?

  /// product × slope + offset.
  struct Line {
    var slope: Float = 0
    var offset: Float = 0
  }

  /// - Parameters:
  ///   - multiplier: applied to the products, before `outputZeroPoint` is added. Nil is returned where its left shift may
  ///     overflow.
  ///   - findsLine: whether a line is looked for, which pays for more than some thousand products.
  package init?(
    zeroPoints: (a: Int32, b: Int32), multiplier: FixedPointMultiplier, outputZeroPoint: Int32,
    range: ClosedRange<Int32>, isSigned: Bool, findsLine: Bool = true, kernels: KernelSet
  ) throws(ApusError) {
    // 255 × 255 has 16 bits.
    guard multiplier.shift <= 14 else { return nil }
    let lanes = kernels.integer.lanes
    table = try TensorStorage(byteCount: RequantizationTable.fixedPointByteCount(lanes: lanes))
    RequantizationTable.write(
      Array(repeating: multiplier, count: lanes)[...], zeroPoint: outputZeroPoint, rounding: .twice,
      lanes: lanes,
      to: table.base)
    kernel = kernels.integer.multiply
    self.zeroPoints = zeroPoints
    self.range = range
    self.isSigned = isSigned
    guard findsLine, range == (isSigned ? -128...127 : 0...255) else { return }
    line = try findLine(slope: multiplier.real, offset: Double(outputZeroPoint) - (isSigned ? 0 : 128))
  }

  package func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int
  ) {
    run(a, b, into: c, count: count, line)
  }

  /// - Parameter line: nil for the fixed-point multiplication.
  private func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int, _ line: Line?
  ) {
    var arguments = ApusQuantizedMultiply(
      a: a, b: b, c: c, count: count, zeroPointA: zeroPoints.a, zeroPointB: zeroPoints.b,
      lowQuantum: range.lowerBound, highQuantum: range.upperBound, isSigned: isSigned ? 1 : 0,
      table: line == nil ? UnsafeRawPointer(table.base) : nil, slope: line?.slope ?? 0,
      offset: line?.offset ?? 0)
    kernel(&arguments)
  }

  /// The line through float32 that rounds to the products of the fixed-point multiplication, all 65 536 of them: of
  /// those beside the exact one the first that does.
  private func findLine(slope: Double, offset: Double) throws(ApusError) -> Line? {
    let results = try BytePairResults { run($0, $1, into: $2, count: $3, nil) }
    for nudge: Int32 in [0, 1, -1, 2, -2] {
      for lift in BytePairResults.lifts {
        let line = Line(slope: Float(slope).nudged(nudge), offset: Float(offset + lift))
        if results.equal({ run($0, $1, into: $2, count: $3, line) }) { return line }
      }
    }
    return nil
  }
}

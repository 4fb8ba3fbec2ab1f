import CIntrinsics
import TensorCore

/// The sum of two 8-bit tensors of one shape, prepared for the vector kernels.
package struct QuantizedAdd: Sendable {
  private let kernel: @convention(c) (UnsafePointer<ApusQuantizedAdd>) -> Void
  private let tables: TensorStorage
  private let zeroPoints: (a: Int32, b: Int32)
  private let leftShift: Int32
  private let range: ClosedRange<Int32>
  private let isSigned: Bool

  /// - Parameters:
  ///   - leftShift: applied to the operands before `multiplierA` and `multiplierB`.
  ///   - multiplierResult: applied to their sum, before `outputZeroPoint` is added.
  package init(
    zeroPoints: (a: Int32, b: Int32), leftShift: Int32, multiplierA: FixedPointMultiplier,
    multiplierB: FixedPointMultiplier, multiplierResult: FixedPointMultiplier, outputZeroPoint: Int32,
    range: ClosedRange<Int32>, isSigned: Bool, kernels: KernelSet
  ) throws(ApusError) {
    let lanes = kernels.integer.lanes
    let bytes = RequantizationTable.byteCount(lanes: lanes)
    tables = try TensorStorage(byteCount: 3 * bytes)
    let entries = [(multiplierA, Int32(0)), (multiplierB, 0), (multiplierResult, outputZeroPoint)]
    for (index, (multiplier, zeroPoint)) in entries.enumerated() {
      RequantizationTable.write(
        Array(repeating: multiplier, count: lanes)[...], zeroPoint: zeroPoint, rounding: .twice, lanes: lanes,
        to: tables.base + index * bytes)
    }
    kernel = kernels.integer.add
    self.zeroPoints = zeroPoints
    self.leftShift = leftShift
    self.range = range
    self.isSigned = isSigned
  }

  /// Adds `count` elements from each of `a` and `b`, which may be read a vector's width past their end.
  package func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int
  ) {
    var arguments = ApusQuantizedAdd(
      a: a, b: b, c: c, count: count, zeroPointA: zeroPoints.a, zeroPointB: zeroPoints.b,
      leftShift: leftShift, lowQuantum: range.lowerBound, highQuantum: range.upperBound,
      isSigned: isSigned ? 1 : 0, tables: tables.base)
    kernel(&arguments)
  }
}

import CIntrinsics
import TensorCore

/// The sum or difference of two rows of bytes that stand for scaled numbers, prepared for the vector kernels.
package struct QuantizedAdd: QuantizedPairs {
  private let kernel: @convention(c) (UnsafePointer<ApusQuantizedAdd>) -> Void
  private let tables: TensorStorage
  private let zeroPoints: (a: Int32, b: Int32)
  private let leftShift: Int32
  private let range: ClosedRange<Int32>
  private let isSigned: Bool
  private let subtracts: Bool
  private var plane: Plane?

  /// a × slopeA + b × slopeB + offset.
  struct Plane {
    var slopeA: Float = 0
    var slopeB: Float = 0
    var offset: Float = 0
  }

  /// - Parameters:
  ///   - leftShift: applied to the operands before `multiplierA` and `multiplierB`.
  ///   - multiplierResult: applied to their sum, before `outputZeroPoint` is added.
  ///   - subtracts: whether the second is subtracted.
  ///   - findsPlane: whether a plane is looked for, which pays for more than some thousand sums.
  package init(
    zeroPoints: (a: Int32, b: Int32), leftShift: Int32, multiplierA: FixedPointMultiplier,
    multiplierB: FixedPointMultiplier, multiplierResult: FixedPointMultiplier, outputZeroPoint: Int32,
    range: ClosedRange<Int32>, isSigned: Bool, subtracts: Bool, findsPlane: Bool = true, kernels: KernelSet
  ) throws(ApusError) {
    let lanes = kernels.integer.lanes
    let bytes = RequantizationTable.fixedPointByteCount(lanes: lanes)
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
    self.subtracts = subtracts
    guard findsPlane, range == (isSigned ? -128...127 : 0...255) else { return }
    let shifted = multiplierResult.real * Double(1 << leftShift)
    plane = try findPlane(
      slopes: (multiplierA.real * shifted, (subtracts ? -1 : 1) * multiplierB.real * shifted),
      outputZeroPoint: outputZeroPoint)
  }

  package func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int
  ) {
    run(a, b, into: c, count: count, plane)
  }

  /// - Parameter plane: nil for the fixed-point multiplications.
  private func run(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int, _ plane: Plane?
  ) {
    var arguments = ApusQuantizedAdd(
      a: a, b: b, c: c, count: count, zeroPointA: zeroPoints.a, zeroPointB: zeroPoints.b,
      leftShift: leftShift, lowQuantum: range.lowerBound, highQuantum: range.upperBound,
      isSigned: isSigned ? 1 : 0, subtracts: subtracts ? 1 : 0,
      tables: plane == nil ? UnsafeRawPointer(tables.base) : nil,
      slopeA: plane?.slopeA ?? 0, slopeB: plane?.slopeB ?? 0, offset: plane?.offset ?? 0)
    kernel(&arguments)
  }
}

extension QuantizedAdd {
  /// The plane through float32 that rounds to the sums of the fixed-point multiplications, all 65 536 of them: of
  /// those beside the exact one the first that does.
  private func findPlane(
    slopes: (a: Double, b: Double), outputZeroPoint: Int32
  ) throws(ApusError) -> Plane? {
    let results = try BytePairResults { run($0, $1, into: $2, count: $3, nil) }
    let flip: Int32 = isSigned ? 128 : 0
    let exact =
      Double(outputZeroPoint) - (isSigned ? 0 : 128) - slopes.a * Double(zeroPoints.a + flip) - slopes.b
      * Double(zeroPoints.b + flip)
    for nudge in Self.slopeNudges {
      for lift in BytePairResults.lifts {
        let plane = Plane(
          slopeA: Float(slopes.a).nudged(nudge.a), slopeB: Float(slopes.b).nudged(nudge.b),
          offset: Float(exact + lift))
        if results.equal({ run($0, $1, into: $2, count: $3, plane) }) { return plane }
      }
    }
    return nil
  }

  /// By so many numbers of float32.
  private static let slopeNudges: [(a: Int32, b: Int32)] = [
    (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1), (1, 1), (-1, -1),
  ]
}

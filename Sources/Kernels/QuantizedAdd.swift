import CIntrinsics
import Glibc
import TensorCore

/// The sum of two 8-bit tensors of one shape, prepared for the vector kernels.
package struct QuantizedAdd: Sendable {
  private let kernel: @convention(c) (UnsafePointer<ApusQuantizedAdd>) -> Void
  private let tables: TensorStorage
  private let zeroPoints: (a: Int32, b: Int32)
  private let leftShift: Int32
  private let range: ClosedRange<Int32>
  private let isSigned: Bool
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
    guard range == (isSigned ? -128...127 : 0...255) else { return }
    let shifted = multiplierResult.real * Double(1 << leftShift)
    plane = try findPlane(
      slopes: (multiplierA.real * shifted, multiplierB.real * shifted), outputZeroPoint: outputZeroPoint)
  }

  /// Adds `count` elements from each of `a` and `b`, which may be read a vector's width past their end.
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
      isSigned: isSigned ? 1 : 0, tables: plane == nil ? UnsafeRawPointer(tables.base) : nil,
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
    let sums = try ByteSums()
    for byte in 0..<256 { sums.write(to: sums.wanted(byte), byte) { run($0, $1, into: $2, count: 256, nil) } }
    let flip: Int32 = isSigned ? 128 : 0
    let exact =
      Double(outputZeroPoint) - (isSigned ? 0 : 128) - slopes.a * Double(zeroPoints.a + flip) - slopes.b
      * Double(zeroPoints.b + flip)
    for nudge in Self.slopeNudges {
      for lift in Self.lifts {
        let plane = Plane(
          slopeA: Float(slopes.a).nudged(nudge.a), slopeB: Float(slopes.b).nudged(nudge.b),
          offset: Float(exact + lift))
        // Most planes that are wrong are so soon.
        let isEqual = (0..<256).allSatisfy { byte in
          sums.write(to: sums.found, byte) { run($0, $1, into: $2, count: 256, plane) }
          return memcmp(sums.found, sums.wanted(byte), 256) == 0
        }
        if isEqual { return plane }
      }
    }
    return nil
  }

  /// By so many numbers of float32.
  private static let slopeNudges: [(a: Int32, b: Int32)] = [
    (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1), (1, 1), (-1, -1),
  ]

  /// Of results: bounds between them are about 2⁻¹⁶ apart.
  private static let lifts: [Double] = [0, 2e-6, -2e-6, 4e-6, -4e-6, 8e-6, -8e-6, 16e-6, -16e-6]
}

extension Float {
  fileprivate func nudged(_ steps: Int32) -> Float {
    Float(bitPattern: bitPattern &+ UInt32(bitPattern: steps))
  }
}

/// Room for the sums of every two bytes, 256 of one first byte at a time.
private struct ByteSums {
  private let storage: TensorStorage

  init() throws(ApusError) {
    // Operands may be read a vector's width past their end.
    storage = try TensorStorage(byteCount: 3 * 256 + 65_536)
    for byte in 0..<256 { second.storeBytes(of: UInt8(byte), toByteOffset: byte, as: UInt8.self) }
  }

  /// Has `add` write the sums of `byte` and every byte to `result`.
  func write(
    to result: UnsafeMutableRawPointer, _ byte: Int,
    _ add: (_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeMutableRawPointer) -> Void
  ) {
    memset(first, Int32(byte), 256)
    add(UnsafeRawPointer(first), UnsafeRawPointer(second), result)
  }

  private var first: UnsafeMutableRawPointer { storage.base }
  private var second: UnsafeMutableRawPointer { storage.base + 256 }
  var found: UnsafeMutableRawPointer { storage.base + 512 }
  func wanted(_ byte: Int) -> UnsafeMutableRawPointer { storage.base + 768 + 256 * byte }
}

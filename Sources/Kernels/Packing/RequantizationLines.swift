import CIntrinsics
import TensorCore

/// Finds the lines through float32 that round as fixed-point multiplications do, for a vector of columns at a time.
///
/// A line takes five instructions for a vector of results, one that is checked nine, the multiplication fifteen. Whether
/// there is one depends on how near the steps of the multiplication come to each other's bounds, in units of float32: the smaller the
/// multiplier, the rarer. Where results may be negative before the zero point is added, roundings change at zero and no
/// line follows; where an activation limits results to less than a byte holds, there is none either. ``CheckedLine`` is
/// for these.
package struct RequantizationLines {
  private let kernel: @convention(c) (UnsafePointer<ApusLineFit>) -> Bool
  private let lanes: Int
  private let storage: TensorStorage

  /// Room for the lines of as many vectors as a panel has.
  package init(_ kernels: KernelSet) throws(ApusError) {
    kernel = kernels.integer.fitLine
    lanes = kernels.integer.lanes
    storage = try TensorStorage(byteCount: 4 * lanes * (Self.words + 2 * Vector.words))
  }

  /// The lines of one vector of columns: (sum + shift) × slope + offset.
  struct Vector {
    static let words = 3
    let slopes: UnsafeMutablePointer<Float>
    let offsets: UnsafeMutablePointer<Float>
    let shifts: UnsafeMutablePointer<Int32>
  }

  subscript(index: Int) -> Vector {
    let first = Self.words + index * Vector.words
    return Vector(slopes: numbers(first), offsets: numbers(first + 1), shifts: numbers(first + 2))
  }

  /// Writes the lines of at most `lanes` columns.
  /// - Returns: whether each has one. Otherwise what is written means nothing.
  package func fit(_ columns: RequantizedColumns, at index: Int) -> Bool {
    guard columns.quantization.isWholeRange, !columns.quantization.changesRounding else { return false }
    for lane in 0..<lanes {
      guard lane < columns.sums.count else {
        write(.none, sums: 0...0, lane)
        continue
      }
      let sums = columns.sums[columns.sums.startIndex + lane]
      guard sums.lowerBound > -1 << 30, sums.upperBound < 1 << 30 else { return false }
      let multiplier = columns.multipliers[columns.multipliers.startIndex + lane]
      // Hardly any panel has lines in all columns then, and they take long to be looked for.
      guard multiplier.real >= 0x1p-10 else { return false }
      guard let steps = FixedPointSteps(multiplier, columns.quantization, sums: sums) else { return false }
      write(steps, sums: sums, lane)
    }
    let line = self[index]
    var arguments = ApusLineFit(
      place: integers(0), excess: integers(1), stride: integers(2), remainder: integers(3),
      multiplier: integers(4), least: integers(5), greatest: integers(6), slope: doubles(0), rise: doubles(1),
      unit: doubles(2), lineSlope: line.slopes, lineOffset: line.offsets, lineShift: line.shifts)
    return kernel(&arguments)
  }

  /// What is written of each column before the lines: three numbers of 8 bytes, seven of 4.
  private static let words = 13

  private func write(_ steps: FixedPointSteps, sums: ClosedRange<Int>, _ lane: Int) {
    doubles(0)[lane] = steps.slope
    doubles(1)[lane] = steps.rise
    doubles(2)[lane] = steps.unit
    integers(0)[lane] = steps.place
    integers(1)[lane] = steps.excess
    integers(2)[lane] = steps.stride
    integers(3)[lane] = steps.remainder
    integers(4)[lane] = steps.multiplier
    integers(5)[lane] = Int32(truncatingIfNeeded: sums.lowerBound)
    integers(6)[lane] = Int32(truncatingIfNeeded: sums.upperBound)
  }

  private func doubles(_ index: Int) -> UnsafeMutablePointer<Double> { numbers(2 * index) }
  private func integers(_ index: Int) -> UnsafeMutablePointer<Int32> { numbers(6 + index) }

  private func numbers<Number>(_ word: Int) -> UnsafeMutablePointer<Number> {
    (storage.base + 4 * lanes * word).assumingMemoryBound(to: Number.self)
  }
}

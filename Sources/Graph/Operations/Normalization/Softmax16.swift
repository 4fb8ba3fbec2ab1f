import CLibrary
import Kernels
import TensorCore

/// Softmax of int16 numbers, by tables of `eˣ` over −10…0 and of `1/(1+x)` over 0…1.
struct Softmax16: Sendable {
  private let multiplier: FixedPointMultiplier
  private let exponential: InterpolationTable
  private let reciprocal: InterpolationTable

  init(_ input: TensorType, beta: Float) throws(ApusError) {
    let scale = try input.uniformQuantization("the input").scale
    multiplier = FixedPointMultiplier(Double(scale * beta) / (10.0 / 65535))
    exponential = InterpolationTable(
      inputScale: 10.0 / 65535, inputZeroPoint: 32767, outputScale: 2.0 / 65535, outputZeroPoint: 0
    ) { (x: Double) in CLibrary.exp(x) }
    reciprocal = InterpolationTable(
      inputScale: 1.0 / 65535, inputZeroPoint: -32768, outputScale: 2.0 / 65535, outputZeroPoint: 0
    ) { (x: Double) in 1 / (1 + x) }
  }

  func body(_ layout: LastAxis) -> Lowering.Body {
    let softmax = self
    return { arguments in
      softmax.exponential.withSamples { exponential in
        softmax.reciprocal.withSamples { reciprocal in
          arguments.forEachRow(layout) { row, result in
            softmax.row(row, result, exponential, reciprocal)
          }
        }
      }
    }
  }

  @inline(__always)
  private func row(
    _ row: UnsafeBufferPointer<Int16>, _ result: UnsafeMutableBufferPointer<Int16>,
    _ exponential: UnsafeBufferPointer<Int16>, _ reciprocal: UnsafeBufferPointer<Int16>
  ) {
    let greatest = greatestElement(of: row)
    var sum: Int32 = 0
    for index in 0..<row.count {
      let distance = multiplier.apply(Int32(row[index]) - greatest)
      let place = Int16(clamping: FixedPoint.saturatingSum(distance, 32767))
      result[index] = InterpolationTable.lookUp(place, in: exponential)
      sum = sum &+ Int32(result[index])
    }
    // The sum as 1 + a fraction, times a power of two.
    let zeros = Int32(UInt32(bitPattern: sum).leadingZeroBitCount)
    let shifted = ((Int64(sum) << Int64(max(zeros - 1, 0))) + (1 << 13)) >> 14
    let place = Int16(clamping: shifted - ((1 << 15) + (1 << 16)))
    let scale = Int64(InterpolationTable.lookUp(place, in: reciprocal))
    let shift = Int64(max(31 - zeros, 0))
    let half: Int64 = shift > 0 ? 1 << (shift - 1) : 0
    for index in 0..<row.count {
      let value = (Int64(result[index]) * scale + half) >> shift
      result[index] = Int16(min(max(value, 0), 32767))
    }
  }
}

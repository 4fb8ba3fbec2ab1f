import Kernels
import TensorCore

/// What softmax and its logarithm need of an 8-bit operand: for each distance below the row's greatest
/// number, that distance in Q5 and its exponential in Q0.
struct ExponentialTable: Sendable {
  /// β times the operand's scale, in Q5.
  let multiplier: FixedPointMultiplier
  /// Distances (not positive) below this one count as infinite.
  let least: Int32
  private let exponentials: [Int32]

  /// - Throws: ``ApusError`` when a step of the operand is too small for the Q5 format.
  init(_ input: TensorType, beta: Float) throws(ApusError) {
    let scale = try input.uniformQuantization("the input").scale
    let real = min(Double(beta) * Double(scale) * 0x1p26, 0x1p31 - 1)
    guard real > 1 else {
      throw ApusError(
        .unsupportedModel, "beta \(beta) with input scale \(scale)", expected: "a product over 2⁻²⁶")
    }
    let multiplier = FixedPointMultiplier(real)
    self.multiplier = multiplier
    least = -Int32((31 * 0x1p26 / Double(Int64(1) << Int64(multiplier.shift))).rounded(.down))
    exponentials = (0..<256).map { FixedPoint.expOfNegativeQ5(multiplier.apply(-$0)) }
  }

  /// The exponentials by the distance's magnitude, 0 where it counts as infinite.
  func withExponentials(_ body: (UnsafeBufferPointer<Int32>) -> Void) {
    exponentials.withUnsafeBufferPointer(body)
  }

  /// The sum of the exponentials of a row in Q12, which wraps over 4095.
  @inline(__always)
  func sum<Element: QuantizedElement>(
    _ row: UnsafeBufferPointer<Element>, below greatest: Int32, _ exponentials: UnsafeBufferPointer<Int32>
  ) -> Int32 {
    var sum: Int32 = 0
    for index in 0..<row.count {
      let distance = Int32(row[index]) - greatest
      if distance >= least {
        sum = sum &+ FixedPoint.roundingShiftRight(exponentials[Int(-distance)], 12)
      }
    }
    return sum
  }
}

/// The greatest element of a row that is not empty.
@inline(__always)
func greatestElement<Element: QuantizedElement>(of row: UnsafeBufferPointer<Element>) -> Int32 {
  var greatest = Element.min
  for index in 0..<row.count { greatest = max(greatest, row[index]) }
  return Int32(greatest)
}

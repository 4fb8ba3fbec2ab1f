import TensorCore

/// float32 numbers rounded to what integers of some bits could hold, as training with quantization does.
///
/// The range is moved so that 0 is one of the values.
package struct FakeQuantize: Operation {
  package let minimum: Float
  package let maximum: Float
  package let bitCount: Int
  package let narrowRange: Bool
  package var name: String { "fakeQuantize" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  /// - Parameter narrowRange: whether the least integer is left out.
  package init(minimum: Float, maximum: Float, bitCount: Int, narrowRange: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.bitCount = bitCount
    self.narrowRange = narrowRange
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard (2...16).contains(bitCount) else {
      throw ApusError(.malformedModel, "\(bitCount) bits", expected: "2 to 16")
    }
    guard minimum.isFinite, maximum.isFinite, minimum <= 0, maximum >= 0, minimum < maximum else {
      throw ApusError(
        .malformedModel, "the range \(minimum) to \(maximum)", expected: "a finite range that contains 0")
    }
    return [try operands.unaryResult(of: [.float32])]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let least: Float = narrowRange ? 1 : 0
    let greatest = Float((1 << bitCount) - 1)
    let scale = (maximum - minimum) / (greatest - least)
    let zeroPoint = min(greatest, max(least, least - minimum / scale)).rounded(.toNearestOrAwayFromZero)
    let lower = (least - zeroPoint) * scale
    let upper = (greatest - zeroPoint) * scale
    let inverse = 1 / scale
    return Lowering("fakeQuantize float32") {
      $0.map {
        $0.apply { (x: Float) -> Float in
          let raised = lower < x ? x : lower
          let clamped = raised < upper ? raised : upper
          return ((clamped - lower) * inverse).rounded(.toNearestOrAwayFromZero) * scale + lower
        }
      }
    }
  }
}

import Kernels
import TensorCore

/// The body of a softmax of 8-bit operands.
func softmax8<Element: QuantizedElement, Result: QuantizedElement>(
  _ table: ExponentialTable, _ layout: LastAxis, _: Element.Type, _: Result.Type
) -> Lowering.Body {
  return { arguments in
    table.withExponentials { exponentials in
      arguments.forEachRow(layout) {
        (row: UnsafeBufferPointer<Element>, result: UnsafeMutableBufferPointer<Result>) in
        let greatest = greatestElement(of: row)
        let sum = table.sum(row, below: greatest, exponentials)
        let inverse = FixedPoint.reciprocal(sum, integerDigits: 12)
        let exponent = max(0, inverse.bitsOverUnit + 31 - Int32(Result.bitWidth))
        for index in 0..<row.count {
          let distance = Int32(row[index]) - greatest
          var value: Int32 = 0
          // Beyond 31 digits even the greatest quotient rounds to 0.
          if distance >= table.least, exponent <= 31 {
            let product = FixedPoint.doublingHighProduct(inverse.scale, exponentials[Int(-distance)])
            value = FixedPoint.roundingShiftRight(product, exponent)
          }
          result[index] = Result(clamping: value &+ Int32(Result.min))
        }
      }
    }
  }
}

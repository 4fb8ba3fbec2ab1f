import CLibrary
import Kernels
import TensorCore

/// The logarithm of ``Softmax`` along the last axis.
///
/// float32, and quantized int8 and uint8 with a result of scale 1/16 whose greatest integer stands for 0.
/// Source of the integer rule: TFLite's reference `LogSoftmax`.
package struct LogSoftmax: Operation {
  package var name: String { "logSoftmax" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8])
    let input = try operands.input(0)
    _ = try LastAxis(input.shape)
    if let range = input.dataType.quantizedRange {
      let found = try result.uniformQuantization("the result")
      guard found.scale == 1.0 / 16, found.zeroPoint == range.upperBound else {
        throw ApusError(
          .unsupportedModel, "a result of scale \(found.scale) and zero point \(found.zeroPoint)",
          expected: "scale 1/16 and zero point \(range.upperBound)")
      }
      _ = try ExponentialTable(input, beta: 1)
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let layout = try LastAxis(input.shape)
    let kernel = "logSoftmax \(input.dataType.rawValue)"
    switch input.dataType {
    case .float32: return Lowering(kernel, body: floatBody(layout))
    case .int8:
      return Lowering(kernel, body: body(try ExponentialTable(input, beta: 1), layout, Int8.self))
    default:
      return Lowering(kernel, body: body(try ExponentialTable(input, beta: 1), layout, UInt8.self))
    }
  }

  private func floatBody(_ layout: LastAxis) -> Lowering.Body {
    return {
      $0.forEachRow(layout) { (row: UnsafeBufferPointer<Float>, result: UnsafeMutableBufferPointer<Float>) in
        var greatest = -Float.greatestFiniteMagnitude
        for index in 0..<row.count where row[index] > greatest { greatest = row[index] }
        var sum: Float = 0
        for index in 0..<row.count { sum += CLibrary.expf(row[index] - greatest) }
        let logarithm = CLibrary.logf(sum)
        for index in 0..<row.count { result[index] = row[index] - greatest - logarithm }
      }
    }
  }

  private func body<Element: QuantizedElement>(
    _ table: ExponentialTable, _ layout: LastAxis, _: Element.Type
  ) -> Lowering.Body {
    // One unit of the Q5 numbers in steps of the operand.
    let inverse = FixedPointMultiplier(
      Double(Int64(1) << Int64(31 - table.multiplier.shift)) / Double(table.multiplier.multiplier))
    return { arguments in
      table.withExponentials { exponentials in
        arguments.forEachRow(layout) {
          (row: UnsafeBufferPointer<Element>, result: UnsafeMutableBufferPointer<Element>) in
          let greatest = greatestElement(of: row)
          let logarithm = FixedPoint.logarithmOfQ12(table.sum(row, below: greatest, exponentials))
          let least = max(table.least - 1, inverse.apply(logarithm &+ Int32.min))
          for index in 0..<row.count {
            let distance = Int32(row[index]) - greatest
            let value = FixedPoint.roundingShiftRight(table.multiplier.apply(distance) &- logarithm, 22)
            result[index] =
              distance > least ? Element(clamping: value &+ Int32(Element.max)) : Element.min
          }
        }
      }
    }
  }
}

import Kernels
import TensorCore

/// Each row along the last axis divided by its Euclidean norm.
///
/// float32 (norms below 10⁻⁶ count as that), and quantized int8 and uint8 with a result of scale 1/128 and
/// zero point 0 or 128. Source of the integer rule: TFLite's reference `L2Normalization`.
package struct L2Normalization: Operation {
  package let activation: Activation
  package var name: String { "l2Normalization" }

  package init(activation: Activation = .none) { self.activation = activation }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard activation == .none else {
      throw ApusError(.unsupportedModel, "the fused activation \(activation.name)", expected: "none")
    }
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8])
    let input = try operands.input(0)
    _ = try LastAxis(input.shape)
    if input.dataType != .float32 {
      _ = try input.uniformQuantization("the input")
      let found = try result.uniformQuantization("the result")
      let zeroPoint: Int32 = input.dataType == .uint8 ? 128 : 0
      guard found.scale == 1.0 / 128, found.zeroPoint == zeroPoint else {
        throw ApusError(
          .unsupportedModel, "a result of scale \(found.scale) and zero point \(found.zeroPoint)",
          expected: "scale 1/128 and zero point \(zeroPoint)")
      }
    }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let layout = try LastAxis(input.shape)
    let kernel = "\(name) \(input.dataType.rawValue)"
    guard input.dataType != .float32 else { return Lowering(kernel, body: floatBody(layout)) }
    let zeroPoint = try input.uniformQuantization("the input").zeroPoint
    if input.dataType == .int8 {
      return Lowering(kernel) {
        $0.forEachRow(layout) { (row: UnsafeBufferPointer<Int8>, result: UnsafeMutableBufferPointer<Int8>) in
          let norm = inverseNorm(row, zeroPoint)
          let factor = FixedPointMultiplier(multiplier: norm.multiplier, shift: 7 - norm.rightShift)
          for index in 0..<row.count {
            result[index] = Int8(clamping: factor.apply(Int32(row[index]) - zeroPoint))
          }
        }
      }
    }
    return Lowering(kernel) {
      $0.forEachRow(layout) { (row: UnsafeBufferPointer<UInt8>, result: UnsafeMutableBufferPointer<UInt8>) in
        let norm = inverseNorm(row, zeroPoint)
        let factor = FixedPointMultiplier(multiplier: norm.multiplier, shift: -norm.rightShift)
        for index in 0..<row.count {
          result[index] = UInt8(clamping: 128 + factor.apply(128 * (Int32(row[index]) - zeroPoint)))
        }
      }
    }
  }

  private func floatBody(_ layout: LastAxis) -> Lowering.Body {
    return {
      $0.forEachRow(layout) { (row: UnsafeBufferPointer<Float>, result: UnsafeMutableBufferPointer<Float>) in
        var sum: Float = 0
        for index in 0..<row.count { sum += row[index] * row[index] }
        let norm = max(sum.squareRoot(), 1e-6)
        for index in 0..<row.count { result[index] = row[index] / norm }
      }
    }
  }
}

/// One over the norm of a row of stored integers.
@inline(__always)
private func inverseNorm<Element: QuantizedElement>(
  _ row: UnsafeBufferPointer<Element>, _ zeroPoint: Int32
) -> (multiplier: Int32, rightShift: Int32) {
  var sum: Int32 = 0
  for index in 0..<row.count {
    let value = Int32(row[index]) - zeroPoint
    sum = sum &+ value &* value
  }
  return FixedPoint.inverseSquareRoot(sum)
}

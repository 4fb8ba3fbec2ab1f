import CIntrinsics
import Kernels
import TensorCore

/// `x × clamp(x + 3, 0, 6) / 6`; float32, and quantized int8 and uint8.
package struct HardSwish: Operation {
  package var name: String { "hardSwish" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8])
    if result.dataType != .float32 { _ = try QuantizedHardSwish(try operands.input(0), result) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    if input.dataType == .float32 {
      return VectorMap.lowering("hardSwish float32", APUS_HARD_SWISH, context.kernels)
    }
    let function = try QuantizedHardSwish(input, context.result)
    return Lowering(
      "hardSwish \(input.dataType.rawValue)",
      body: ByteTable(input.dataType) { function($0) }.body(context.kernels))
  }
}

/// The 16-bit fixed-point rule of TFLite's reference `HardSwish`.
private struct QuantizedHardSwish {
  let input: Quantization
  let output: Quantization
  /// Real multipliers with 16 bits: from the input scale / 128 to the output's, and to 3 / 2¹⁵.
  let toOutput: (multiplier: Int16, exponent: Int32)
  let toReluish: (multiplier: Int16, exponent: Int32)

  init(_ input: TensorType, _ result: TensorType) throws(ApusError) {
    self.input = try input.uniformQuantization("the input")
    output = try result.uniformQuantization("the result")
    let fineScale = (1.0 / 128) * self.input.scale
    toOutput = Self.narrow(FixedPointMultiplier(Double(fineScale / output.scale)))
    toReluish = Self.narrow(FixedPointMultiplier(Double(fineScale / (3.0 / 32768))))
    guard toOutput.exponent <= 0 else {
      throw ApusError(
        .unsupportedModel, "scale \(self.input.scale) for a result of scale \(output.scale)",
        expected: "at most 128 times the result's scale")
    }
  }

  private static func narrow(_ multiplier: FixedPointMultiplier) -> (multiplier: Int16, exponent: Int32) {
    (Int16(clamping: (Int64(multiplier.multiplier) + (1 << 15)) >> 16), multiplier.shift)
  }

  /// The high half of `2ab`, rounded to nearest with halves upward.
  private static func roundedProduct(_ a: Int16, _ b: Int16) -> Int16 {
    Int16(clamping: (Int32(a) * Int32(b) + (1 << 14)) >> 15)
  }

  /// The result before it is clamped to its type.
  func callAsFunction(_ stored: Int32) -> Int32 {
    let fine = Int16(truncatingIfNeeded: (stored &- input.zeroPoint) &<< 7)
    let scaled = Self.roundedProduct(fine, toOutput.multiplier)
    var reluish = fine
    let exponent = toReluish.exponent
    if exponent > 0 { reluish = Int16(clamping: Int64(reluish) << Int64(exponent - 1)) }
    reluish = Self.roundedProduct(reluish, toReluish.multiplier)
    if exponent > 0 { reluish = Int16(clamping: Int32(reluish) << 1) }
    if exponent < 0 {
      reluish = Int16(truncatingIfNeeded: FixedPoint.roundingShiftRight(Int32(reluish), min(31, -exponent)))
    }
    // From −1…1 to 0…1.
    let gate = Int16(truncatingIfNeeded: (Int32(reluish) + (1 << 15)) >> 1)
    let product = Int16(clamping: Int32(gate) * Int32(scaled) / (1 << 15))
    let shifted = FixedPoint.roundingShiftRight(Int32(product), min(31, -toOutput.exponent))
    return shifted + output.zeroPoint
  }
}

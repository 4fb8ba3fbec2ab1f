import Kernels
import TensorCore

/// The square root of quantized numbers, rounded towards zero; a negative one ends the run with an error.
struct QuantizedSquareRoot: Sendable {
  private let from: Quantization
  private let to: Quantization

  init(_ input: TensorType, _ result: TensorType) throws(ApusError) {
    from = try input.uniformQuantization("the input")
    to = try result.uniformQuantization("the result")
  }

  @inline(__always)
  private func value(_ stored: Int32) -> Int32 {
    let real = from.scale * Float(stored - from.zeroPoint)
    return Int32(wholeOf: max(real, 0).squareRoot() / to.scale) &+ to.zeroPoint
  }

  func body(_ type: DataType, _ kernels: KernelSet) -> Lowering.Body {
    if type == .int8 {
      let table = ByteTable(.int8) { value($0) }
      return refusingNegative(from.zeroPoint, Int8.self, "square root", table.body(kernels))
    }
    let function = self
    return refusingNegative(from.zeroPoint, Int16.self, "square root") {
      $0.map { $0.apply { (x: Int16) -> Int16 in Int16(clamping: function.value(Int32(x))) } }
    }
  }
}

/// One over the square root of quantized numbers; a negative one ends the run with an error.
func quantizedInverseSquareRoot(
  _ input: TensorType, _ result: TensorType, _ kernels: KernelSet
) throws(ApusError) -> Lowering.Body {
  let from = try input.uniformQuantization("the input")
  let to = try result.uniformQuantization("the result")
  if input.dataType == .int16 {
    let greatest = Float(Int16.max) * to.scale
    let table = try InterpolationTable(input, result) { $0 <= 0 ? greatest : 1 / $0.squareRoot() }
    return refusingNegative(from.zeroPoint, Int16.self, "inverse square root", table.body)
  }
  let output = FixedPointMultiplier(1 / Double(from.scale.squareRoot() * to.scale))
  let table = ByteTable(.int8) { stored in
    let value = stored - from.zeroPoint
    guard value > 0 else { return 127 }
    let root = FixedPoint.inverseSquareRoot(value)
    let raised = FixedPointMultiplier(multiplier: root.multiplier, shift: 20 - root.rightShift).apply(1)
    let scaled = FixedPoint.doublingHighProduct(raised, output.multiplier)
    let shift = output.shift - 20
    guard shift <= 0 else {
      return FixedPointMultiplier(multiplier: output.multiplier, shift: shift).apply(raised) &+ to.zeroPoint
    }
    return shift < -31 ? to.zeroPoint : FixedPoint.roundingShiftRight(scaled, -shift) &+ to.zeroPoint
  }
  return refusingNegative(from.zeroPoint, Int8.self, "inverse square root", table.body(kernels))
}

/// A body that runs `body` unless an operand is below zero.
private func refusingNegative<Element: QuantizedElement>(
  _ zeroPoint: Int32, _: Element.Type, _ what: String, _ body: @escaping Lowering.Body
) -> Lowering.Body {
  return { (arguments: borrowing KernelArguments) throws(ApusError) in
    let operand = arguments.input(0, as: Element.self)
    for index in 0..<operand.count where Int32(operand[index]) < zeroPoint {
      throw ApusError(
        .argument, "the \(what) of a negative number, at element \(index)", expected: "no negative number")
    }
    try body(arguments)
  }
}

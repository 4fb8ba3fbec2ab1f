import Kernels
import TensorCore

/// What multiplying two quantized tensors takes.
struct QuantizedProduct: Sendable {
  let firstOffset: Int32
  let secondOffset: Int32
  let output: FixedPointMultiplier
  let outputOffset: Int32
  let lower: Int32
  let upper: Int32

  init(
    _ first: TensorType, _ second: TensorType, _ result: TensorType, _ activation: FusedActivation
  ) throws(ApusError) {
    let one = try first.uniformQuantization("input 0")
    let two = try second.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    firstOffset = -one.zeroPoint
    secondOffset = -two.zeroPoint
    output = FixedPointMultiplier(Double(one.scale * two.scale / out.scale))
    outputOffset = out.zeroPoint
    let range = try activation.quantizedRange(for: out, result.dataType)
    lower = range.lowerBound
    upper = range.upperBound
  }

  func body<Element: QuantizedElement>(_ plan: BroadcastPlan, _: Element.Type) -> Lowering.Body {
    let product = self
    return { arguments in
      arguments.broadcast(plan) {
        $0.combine { (a: Element, b: Element) -> Element in
          let raw = (Int32(a) &+ product.firstOffset) &* (Int32(b) &+ product.secondOffset)
          let value = product.output.apply(raw) &+ product.outputOffset
          return Element(truncatingIfNeeded: min(product.upper, max(product.lower, value)))
        }
      }
    }
  }
}

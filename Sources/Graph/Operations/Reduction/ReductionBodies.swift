import CLibrary
import Kernels
import TensorCore

extension KernelArguments {
  /// Reduces operand 0 into the results, which accumulate where they are stored.
  @inline(__always)
  func reduce<Element: TensorElement>(
    _ plan: ReductionPlan, from initial: Element, _ combine: (Element, Element) -> Element
  ) {
    let result = output(0, as: Element.self)
    for index in 0..<result.count { result[index] = initial }
    plan.accumulate(input(0, as: Element.self), into: result, combine)
  }

  /// Working memory for one accumulator per result, all set to `initial`.
  func accumulators<Element: BitwiseCopyable>(
    _ count: Int, _ initial: Element
  ) -> UnsafeMutableBufferPointer<Element> {
    let accumulators = UnsafeMutableBufferPointer(
      start: scratch.bindMemory(to: Element.self, capacity: count), count: count)
    accumulators.initialize(repeating: initial)
    return accumulators
  }
}

/// The body of a mean of plain integers: their sum in 64 bits, divided and rounded towards zero.
func integerMeanBody<Element: FixedWidthInteger & TensorElement>(
  _ plan: ReductionPlan, _: Element.Type
) -> Lowering.Body {
  return { arguments in
    let result = arguments.output(0, as: Element.self)
    let sums = arguments.accumulators(result.count, Int64(0))
    plan.accumulate(arguments.input(0, as: Element.self), into: sums) { (sum: Int64, x: Element) in
      sum &+ Int64(truncatingIfNeeded: x)
    }
    let count = Int64(max(1, plan.reducedCount))
    for index in 0..<result.count { result[index] = Element(truncatingIfNeeded: sums[index] / count) }
  }
}

/// What the mean or sum of quantized numbers takes.
struct QuantizedTotal: Sendable {
  private let inputZeroPoint: Int32
  private let output: FixedPointMultiplier
  private let outputZeroPoint: Int32

  init(_ input: TensorType, _ result: TensorType, _ plan: ReductionPlan, isMean: Bool) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    inputZeroPoint = from.zeroPoint
    outputZeroPoint = to.zeroPoint
    let scale = FixedPointMultiplier(Double(from.scale) / Double(to.scale))
    guard isMean, plan.reducedCount > 0 else {
      output = scale
      return
    }
    // The multiplier is divided by the count, with as many bits added as fit.
    let bits = Int32(Int.bitWidth - 1 - plan.reducedCount.leadingZeroBitCount)
    let shift = min(bits, 32, 31 + scale.shift)
    let multiplier = (Int64(scale.multiplier) << Int64(shift)) / Int64(plan.reducedCount)
    output = FixedPointMultiplier(
      multiplier: Int32(truncatingIfNeeded: multiplier), shift: scale.shift - shift)
  }

  func body<Element: QuantizedElement>(_ plan: ReductionPlan, _: Element.Type) -> Lowering.Body {
    let total = self
    let offset = Int32(truncatingIfNeeded: Int64(inputZeroPoint) &* Int64(plan.reducedCount))
    return { arguments in
      let result = arguments.output(0, as: Element.self)
      let sums = arguments.accumulators(result.count, Int32(0))
      plan.accumulate(arguments.input(0, as: Element.self), into: sums) { (sum: Int32, x: Element) in
        sum &+ Int32(x)
      }
      for index in 0..<result.count {
        let value = total.output.apply(sums[index] &- offset) &+ total.outputZeroPoint
        result[index] = plan.reducedCount == 0 ? 0 : Element(clamping: value)
      }
    }
  }
}

/// What the product of quantized numbers takes: each step is brought back by the same factor.
struct QuantizedReduceProduct: Sendable {
  private let inputZeroPoint: Int32
  private let step: FixedPointMultiplier
  private let outputZeroPoint: Int32

  init(_ input: TensorType, _ result: TensorType, _ plan: ReductionPlan) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    inputZeroPoint = from.zeroPoint
    outputZeroPoint = to.zeroPoint
    let count = Double(max(1, plan.reducedCount))
    step = FixedPointMultiplier(Double(from.scale) / CLibrary.pow(Double(to.scale), 1 / count))
  }

  func body<Element: QuantizedElement>(_ plan: ReductionPlan, _: Element.Type) -> Lowering.Body {
    let product = self
    return { arguments in
      let result = arguments.output(0, as: Element.self)
      // No product of 32 bits is this value before its first factor.
      let first = Int64.min
      let products = arguments.accumulators(result.count, first)
      plan.accumulate(arguments.input(0, as: Element.self), into: products) { (current: Int64, x: Element) in
        let factor = Int64(x) &- Int64(product.inputZeroPoint)
        return current == first ? factor : Int64(product.step.apply(wide: current &* factor))
      }
      for index in 0..<result.count {
        let value = products[index] == first ? 0 : product.step.apply(wide: products[index])
        result[index] = Element(clamping: value &+ product.outputZeroPoint)
      }
    }
  }
}

import TensorCore

/// All elements along some axes combined into one.
///
/// The axes are an attribute, or the elements of operand 1 when the attribute is nil. float32, int32 and
/// int64 (which wrap); quantized int8, uint8 and int16 for means, sums and extrema; quantized int8 and int16
/// for products; bool for `any` and `all`. An empty mean is NaN, or 0 for integers. Elements are combined in
/// their order in memory. Source of the integer rules: TFLite's reference `QuantizedMeanOrSum` and
/// `QuantizedReduceProd`.
package struct Reduce: Operation {
  package enum Kind: String, Sendable { case mean, sum, max, min, product, any, all }

  package let kind: Kind
  package let axes: [Int]?
  package let keepDimensions: Bool
  /// Whether the greatest of floats is −∞ where there is nothing greater, and the least +∞: TFLite begins with the finite number
  /// of the greatest magnitude.
  package let reachesInfinity: Bool
  package var name: String { "reduce" + kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() }
  package var resultMeaning: ResultMeaning {
    switch kind {
    case .mean: .someNumbers(of: 0)
    case .sum: .total
    case .max, .min, .product, .any, .all: .computed
    }
  }

  package init(_ kind: Kind, axes: [Int]? = nil, keepDimensions: Bool, reachesInfinity: Bool = false) {
    self.reachesInfinity = reachesInfinity
    self.kind = kind
    self.axes = axes
    self.keepDimensions = keepDimensions
  }

  private var types: [DataType] {
    switch kind {
    case .mean, .sum, .max, .min: [.float32, .int32, .int64, .int8, .uint8, .int16]
    case .product: [.float32, .int32, .int64, .int8, .int16]
    case .any, .all: [.bool]
    }
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...2)
    let input = try operands.input(0, of: types)
    let result = try operands.result(try plan(operands).shape, like: 0)
    guard input.dataType.quantizedRange != nil else { return [result] }
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    if kind == .max || kind == .min, from != to {
      throw ApusError(
        .unsupportedModel, "a result of scale \(to.scale) and zero point \(to.zeroPoint)",
        expected: "those of the input, \(from.scale) and \(from.zeroPoint)")
    }
    return [result]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  private func plan(_ operands: Operands) throws(ApusError) -> ReductionPlan {
    let input = try operands.input(0)
    let axes: [Int]
    if let attribute = self.axes {
      axes = attribute
    } else {
      axes = try operands.requireIntegers(1, "the axes")
    }
    return try ReductionPlan(input.shape, axes: axes, keepDimensions: keepDimensions)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let plan = try plan(context.operands)
    let kernel = "\(name) \(input.dataType.rawValue)"
    switch input.dataType {
    case .bool: return Lowering(kernel, body: logicalBody(plan))
    case .float32: return Lowering(kernel, body: floatBody(plan))
    case .int32: return integerLowering(kernel, plan, Int32.self)
    case .int64: return integerLowering(kernel, plan, Int64.self)
    case .int8: return try quantizedLowering(kernel, plan, context, Int8.self)
    case .uint8: return try quantizedLowering(kernel, plan, context, UInt8.self)
    case .int16: return try quantizedLowering(kernel, plan, context, Int16.self)
    default: throw .unsupportedType(input.dataType)
    }
  }

  private func logicalBody(_ plan: ReductionPlan) -> Lowering.Body {
    if kind == .any {
      return { $0.reduce(plan, from: UInt8(0)) { (a: UInt8, x: UInt8) in a != 0 || x != 0 ? 1 : 0 } }
    }
    return { $0.reduce(plan, from: UInt8(1)) { (a: UInt8, x: UInt8) in a != 0 && x != 0 ? 1 : 0 } }
  }

  private func floatBody(_ plan: ReductionPlan) -> Lowering.Body {
    let most: Float = reachesInfinity ? .infinity : .greatestFiniteMagnitude
    switch kind {
    case .mean:
      let count = Float(plan.reducedCount)
      return { arguments in
        arguments.reduce(plan, from: Float(0)) { (a: Float, x: Float) in a + x }
        let result = arguments.output(0, as: Float.self)
        for index in 0..<result.count { result[index] /= count }
      }
    case .sum: return { $0.reduce(plan, from: Float(0)) { (a: Float, x: Float) in a + x } }
    case .product: return { $0.reduce(plan, from: Float(1)) { (a: Float, x: Float) in a * x } }
    case .min:
      return {
        $0.reduce(plan, from: most) { (a: Float, x: Float) in x < a ? x : a }
      }
    default:
      return {
        $0.reduce(plan, from: -most) { (a: Float, x: Float) in x > a ? x : a }
      }
    }
  }

  private func integerLowering<Element: FixedWidthInteger & TensorElement>(
    _ kernel: String, _ plan: ReductionPlan, _: Element.Type
  ) -> Lowering {
    switch kind {
    case .mean:
      let scratch = plan.shape.elementCount * MemoryLayout<Int64>.stride
      return Lowering(kernel, scratchByteCount: scratch, body: integerMeanBody(plan, Element.self))
    case .sum:
      return Lowering(
        kernel, body: { $0.reduce(plan, from: Element(0)) { (a: Element, x: Element) in a &+ x } })
    case .product:
      return Lowering(
        kernel, body: { $0.reduce(plan, from: Element(1)) { (a: Element, x: Element) in a &* x } })
    default: return Lowering(kernel, body: extremumBody(plan, Element.self))
    }
  }

  private func quantizedLowering<Element: QuantizedElement>(
    _ kernel: String, _ plan: ReductionPlan, _ context: LoweringContext, _: Element.Type
  ) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let scratch = plan.shape.elementCount * MemoryLayout<Int64>.stride
    switch kind {
    case .mean, .sum:
      let total = try QuantizedTotal(input, context.result, plan, isMean: kind == .mean)
      return Lowering(kernel, scratchByteCount: scratch, body: total.body(plan, Element.self))
    case .product:
      let product = try QuantizedReduceProduct(input, context.result, plan)
      return Lowering(kernel, scratchByteCount: scratch, body: product.body(plan, Element.self))
    default: return Lowering(kernel, body: extremumBody(plan, Element.self))
    }
  }

  private func extremumBody<Element: FixedWidthInteger & TensorElement>(
    _ plan: ReductionPlan, _: Element.Type
  ) -> Lowering.Body {
    if kind == .max {
      return { $0.reduce(plan, from: Element.min) { (a: Element, x: Element) in x > a ? x : a } }
    }
    return { $0.reduce(plan, from: Element.max) { (a: Element, x: Element) in x < a ? x : a } }
  }
}

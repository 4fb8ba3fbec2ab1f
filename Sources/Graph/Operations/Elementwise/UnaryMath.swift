import CIntrinsics
import CLibrary
import Kernels
import TensorCore

/// A mathematical function of each element.
///
/// float32 always; beside it int8 and int16 as quantized numbers for `abs`, `exp`, `log`, `sqrt` and `rsqrt`,
/// plain integers for `abs`, `negate` and `sign`. Source of the integer rules: TFLite's reference kernels.
package struct UnaryMath: Operation {
  package enum Function: String, Sendable {
    case abs, negate, exp, log, sqrt, rsqrt, square, floor, ceil, round, sign, erf
    case sin, cos, tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh
  }

  package let function: Function
  package var name: String { function.rawValue }
  package var resultMeaning: ResultMeaning {
    function == .sqrt || function == .square ? .stretchedNumbers : .computed
  }

  package init(_ function: Function) { self.function = function }

  private var types: [DataType] {
    switch function {
    case .abs: [.float32, .int8, .int16, .int32, .int64]
    case .negate: [.float32, .int8, .int16, .int32, .int64]
    case .exp, .log, .sqrt, .rsqrt: [.float32, .int8, .int16]
    case .sign: [.float32, .int32]
    default: [.float32]
    }
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: types)
    if isQuantized(try operands.input(0)) {
      _ = try operands.input(0).uniformQuantization("the input")
      _ = try result.uniformQuantization("the result")
    }
    return [result]
  }

  private func isQuantized(_ type: TensorType) -> Bool {
    switch type.dataType {
    // Negation keeps the stored number's meaning only where zero points are 0, and TFLite asks for no more.
    case .int8: function != .negate
    case .int16: function != .negate && (function != .abs || type.quantization != nil)
    default: false
    }
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if isQuantized(input) {
      return Lowering(kernel, body: try quantizedBody(input, context.result, context.kernels))
    }
    if input.dataType == .float32, function == .exp {
      return VectorMap.lowering(kernel, APUS_EXP, context.kernels)
    }
    let body: Lowering.Body =
      switch input.dataType {
      case .float32: floatBody()
      case .int8: integerBody(Int8.self)
      case .int16: integerBody(Int16.self)
      case .int32: integerBody(Int32.self)
      case .int64: integerBody(Int64.self)
      default: throw .unsupportedType(input.dataType)
      }
    return Lowering(kernel, body: body)
  }

  private func floatBody() -> Lowering.Body {
    switch function {
    case .abs: { $0.map { $0.apply { (x: Float) -> Float in Swift.abs(x) } } }
    case .negate: { $0.map { $0.apply { (x: Float) -> Float in -x } } }
    case .exp: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.expf(x) } } }
    case .log: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.logf(x) } } }
    case .sqrt: { $0.map { $0.apply { (x: Float) -> Float in x.squareRoot() } } }
    case .rsqrt: { $0.map { $0.apply { (x: Float) -> Float in 1 / x.squareRoot() } } }
    case .square: { $0.map { $0.apply { (x: Float) -> Float in x * x } } }
    case .sin: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.sinf(x) } } }
    case .cos: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.cosf(x) } } }
    case .floor: { $0.map { $0.apply { (x: Float) -> Float in x.rounded(.down) } } }
    case .ceil: { $0.map { $0.apply { (x: Float) -> Float in x.rounded(.up) } } }
    case .round: { $0.map { $0.apply { (x: Float) -> Float in x.rounded(.toNearestOrEven) } } }
    case .sign: { $0.map { $0.apply { (x: Float) -> Float in x > 0 ? 1 : x < 0 ? -1 : x } } }
    case .erf: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.erff(x) } } }
    case .tan: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.tanf(x) } } }
    case .asin: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.asinf(x) } } }
    case .acos: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.acosf(x) } } }
    case .atan: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.atanf(x) } } }
    case .sinh: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.sinhf(x) } } }
    case .cosh: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.coshf(x) } } }
    case .asinh: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.asinhf(x) } } }
    case .acosh: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.acoshf(x) } } }
    case .atanh: { $0.map { $0.apply { (x: Float) -> Float in CLibrary.atanhf(x) } } }
    }
  }

  private func integerBody<Element: FixedWidthInteger & SignedInteger & TensorElement>(
    _: Element.Type
  ) -> Lowering.Body {
    switch function {
    case .abs: { $0.map { $0.apply { (x: Element) -> Element in x < 0 ? 0 &- x : x } } }
    case .sign: { $0.map { $0.apply { (x: Element) -> Element in x.signum() } } }
    default: { $0.map { $0.apply { (x: Element) -> Element in 0 &- x } } }
    }
  }

  private func quantizedBody(
    _ input: TensorType, _ result: TensorType, _ kernels: KernelSet
  ) throws(ApusError) -> Lowering.Body {
    switch function {
    case .abs: return try QuantizedAbs(input, result).body(input.dataType, kernels)
    case .sqrt: return try QuantizedSquareRoot(input, result).body(input.dataType, kernels)
    case .rsqrt: return try quantizedInverseSquareRoot(input, result, kernels)
    case .exp:
      if input.dataType == .int16 {
        return try InterpolationTable(input, result) { CLibrary.expf($0) }.body
      }
      return try ByteTable(input, result) { CLibrary.expf($0) }.body(kernels)
    default:
      guard let range = result.dataType.quantizedRange else { throw .unsupportedType(result.dataType) }
      let to = try result.uniformQuantization("the result")
      let least = Float(range.lowerBound - to.zeroPoint) * to.scale
      let logarithm = { (x: Float) -> Float in x <= 0 ? least : CLibrary.logf(x) }
      if input.dataType == .int16 { return try InterpolationTable(input, result, real: logarithm).body }
      return try ByteTable(input, result, real: logarithm).body(kernels)
    }
  }
}

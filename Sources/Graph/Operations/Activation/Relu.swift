import Kernels
import TensorCore

/// Rectification: what lies outside of an interval becomes its nearer end.
///
/// float32, and quantized int8, uint8 and int16, which are brought to the result's scale. NaN stays NaN.
package struct Relu: Operation {
  package enum Interval: String, Sendable {
    /// From 0.
    case relu
    case relu6
    case reluN1To1
    case relu0To1

    var bounds: (lower: Float, upper: Float) {
      switch self {
      case .relu: (0, .infinity)
      case .relu6: (0, 6)
      case .reluN1To1: (-1, 1)
      case .relu0To1: (0, 1)
      }
    }
  }

  package let interval: Interval
  package var name: String { interval.rawValue }
  package var resultMeaning: ResultMeaning { .clamped(interval.bounds.lower...interval.bounds.upper) }

  package init(_ interval: Interval) { self.interval = interval }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    let result = try operands.unaryResult(of: [.float32, .int8, .uint8, .int16])
    if result.dataType != .float32 { _ = try Rescale(try operands.input(0), result, interval) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let input = try context.operands.input(0)
    let kernel = "\(name) \(input.dataType.rawValue)"
    if input.dataType == .float32 {
      let (lower, upper) = interval.bounds
      return Lowering(kernel) {
        $0.map {
          $0.apply { (x: Float) -> Float in
            let raised = x < lower ? lower : x
            return raised > upper ? upper : raised
          }
        }
      }
    }
    let rescale = try Rescale(input, context.result, interval)
    if input.dataType == .int16 {
      return Lowering(kernel) {
        $0.map { $0.apply { (x: Int16) -> Int16 in Int16(truncatingIfNeeded: rescale(Int32(x))) } }
      }
    }
    return Lowering(kernel, body: ByteTable(input.dataType) { rescale($0) }.body(context.kernels))
  }
}

/// What a quantized rectification takes.
private struct Rescale: Sendable {
  let inputZeroPoint: Int32
  let output: FixedPointMultiplier
  let outputOffset: Int32
  let lower: Int32
  let upper: Int32

  init(_ input: TensorType, _ result: TensorType, _ interval: Relu.Interval) throws(ApusError) {
    let from = try input.uniformQuantization("the input", symmetric16: false)
    let to = try result.uniformQuantization("the result", symmetric16: false)
    guard let range = result.dataType.quantizedRange else { throw .unsupportedType(result.dataType) }
    let bounds = interval.bounds
    let quantize = { (real: Float) -> Int32 in
      let steps = Int32(wholeOf: (real / to.scale).rounded(.toNearestOrAwayFromZero))
      return FixedPoint.saturatingSum(to.zeroPoint, steps)
    }
    inputZeroPoint = from.zeroPoint
    output = FixedPointMultiplier(Double(from.scale / to.scale))
    outputOffset = to.zeroPoint
    lower = max(range.lowerBound, quantize(bounds.lower))
    upper = bounds.upper.isFinite ? min(range.upperBound, quantize(bounds.upper)) : range.upperBound
  }

  @inline(__always)
  func callAsFunction(_ stored: Int32) -> Int32 {
    min(upper, max(lower, output.apply(stored &- inputZeroPoint) &+ outputOffset))
  }
}

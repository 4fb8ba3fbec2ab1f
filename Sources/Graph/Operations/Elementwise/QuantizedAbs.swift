import Kernels
import TensorCore

/// The magnitude of quantized numbers.
struct QuantizedAbs: Sendable {
  private let inputZeroPoint: Int32
  /// nil when both scales are the same.
  private let output: FixedPointMultiplier?
  private let outputOffset: Int32

  init(_ input: TensorType, _ result: TensorType) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    inputZeroPoint = from.zeroPoint
    outputOffset = to.zeroPoint
    output = from.scale == to.scale ? nil : FixedPointMultiplier(Double(from.scale / to.scale))
  }

  @inline(__always)
  private func value(_ stored: Int32) -> Int32 {
    let magnitude = abs(stored - inputZeroPoint)
    return (output?.apply(magnitude) ?? magnitude) &+ outputOffset
  }

  func body(_ type: DataType, _ kernels: KernelSet) -> Lowering.Body {
    if type == .int8 { return ByteTable(.int8) { value($0) }.body(kernels) }
    let function = self
    return { $0.map { $0.apply { (x: Int16) -> Int16 in Int16(clamping: function.value(Int32(x))) } } }
  }
}

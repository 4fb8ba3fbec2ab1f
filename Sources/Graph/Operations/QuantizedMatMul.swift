import Kernels
import TensorCore

/// What multiplying quantized matrices takes.
struct QuantizedMatMul: Sendable {
  private let aZeroPoint: Int32
  private let bZeroPoint: Int32
  private let output: FixedPointMultiplier
  private let outputZeroPoint: Int32

  init(_ a: TensorType, _ b: TensorType, _ result: TensorType) throws(ApusError) {
    let one = try a.uniformQuantization("input 0")
    let two = try b.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    aZeroPoint = one.zeroPoint
    bZeroPoint = two.zeroPoint
    output = FixedPointMultiplier(Double(one.scale * two.scale) / Double(out.scale))
    outputZeroPoint = out.zeroPoint
  }

  /// int8 by int8, summed in 32 bits.
  func body8(_ layout: MatrixLayout) -> Lowering.Body {
    let product = self
    return { arguments in
      let (a, b) = (arguments.input(0, as: Int8.self), arguments.input(1, as: Int8.self))
      let result = arguments.output(0, as: Int8.self)
      layout.forEachElement { index, aOrigin, bOrigin in
        var sum: Int32 = 0
        for k in 0..<layout.depth {
          let left = Int32(a[aOrigin + k * layout.aSteps.depth]) &- product.aZeroPoint
          sum &+= left &* (Int32(b[bOrigin + k * layout.bSteps.depth]) &- product.bZeroPoint)
        }
        result[index] = Int8(clamping: product.output.apply(sum) &+ product.outputZeroPoint)
      }
    }
  }

  /// int16 by int16 or int8, summed in 64 bits.
  func body16<Second: QuantizedElement>(_ layout: MatrixLayout, _: Second.Type) -> Lowering.Body {
    let product = self
    return { arguments in
      let (a, b) = (arguments.input(0, as: Int16.self), arguments.input(1, as: Second.self))
      let result = arguments.output(0, as: Int16.self)
      layout.forEachElement { index, aOrigin, bOrigin in
        var sum: Int64 = 0
        for k in 0..<layout.depth {
          let right = Int64(b[bOrigin + k * layout.bSteps.depth]) &- Int64(product.bZeroPoint)
          sum &+= Int64(a[aOrigin + k * layout.aSteps.depth]) &* right
        }
        result[index] = Int16(clamping: product.output.apply(wide: sum) &+ product.outputZeroPoint)
      }
    }
  }
}

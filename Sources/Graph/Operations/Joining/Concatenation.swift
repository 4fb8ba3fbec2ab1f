import CLibrary
import TensorCore

/// Joins tensors along an axis of theirs.
///
/// Quantized uint8 operands whose scale or zero point differs from the result's are requantized by the
/// rule of TFLite's reference kernel, in float32: `round(x·(s/s′) − z·(s/s′)) + z′`, clamped. For other
/// types the operands must be quantized as the result is, except that int16 is copied as it is.
package struct Concatenation: Operation {
  package let axis: Int
  package var name: String { "concatenation" }
  package var resultMeaning: ResultMeaning { .chosenNumbers }

  package init(axis: Int) { self.axis = axis }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...ResultLimit.resultCount)
    try operands.requireSameType(0..<operands.count)
    let first = try operands.input(0).shape
    let axis = try first.axis(axis)
    var dimensions = first.dimensions
    dimensions[axis] = 0
    for index in 0..<operands.count {
      let shape = try operands.input(index).shape
      guard shape.rank == first.rank,
        first.dimensions.indices.allSatisfy({ $0 == axis || shape[$0] == first[$0] })
      else {
        throw ApusError(
          .malformedModel, "input \(index) has shape \(shape)",
          expected: "that of input 0, \(first), except along axis \(axis)")
      }
      dimensions[axis] += shape[axis]
    }
    let result = try operands.result(Shape(dimensions), like: 0).limited()
    for index in 0..<operands.count { _ = try rescaling(operands.input(index), to: result, index) }
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let result = context.results[0]
    let axis = try result.shape.axis(axis)
    let whole = AxisView(result.shape, axis: axis)
    var copies: [CopyKernel.Item] = []
    var rescaled: [Rescaled] = []
    var position = 0
    for index in 0..<context.operands.count {
      let type = try context.operands.input(index)
      let part = AxisView(type.shape, axis: axis)
      let copy = part.copy(0..<part.extent, into: whole, at: position)
      position += part.extent
      if let table = try rescaling(type, to: result, index) {
        rescaled.append(
          Rescaled(input: index, table: table, row: part.extent * part.inner, copy: copy))
      } else {
        copies.append(CopyKernel.Item(input: index, output: 0, copy: copy))
      }
    }
    let kernel = CopyKernel(copies)
    guard !rescaled.isEmpty else {
      return Lowering("strided copy", moving: result.dataType, kernel)
    }
    let requantized = rescaled
    return Lowering("requantizing copy") { arguments throws(ApusError) in
      try kernel.run(arguments, UInt8.self)
      for part in requantized { part.run(arguments, resultRow: whole.extent * whole.inner) }
    }
  }

  /// The result for each value of a uint8 operand that is quantized differently; nil when it is copied.
  private func rescaling(_ type: TensorType, to result: TensorType, _ index: Int) throws(ApusError)
    -> [UInt8]?
  {
    guard type.dataType == .int8 || type.dataType == .uint8, type.quantization != result.quantization else {
      return nil
    }
    guard type.dataType == .uint8, let from = type.quantization, let to = result.quantization,
      !from.isPerChannel, !to.isPerChannel
    else {
      throw ApusError(
        .unsupportedModel, "input \(index) is \(type)", expected: "the quantization of the result, \(result)")
    }
    let scale = from.scale * (1 / to.scale)
    let bias = Float(-Int64(from.zeroPoint)) * scale
    return (0...255).map { value in
      let rounded = (Float(value) * scale + bias).rounded(.toNearestOrAwayFromZero)
      let limited = min(max(rounded, Float(Int32.min)), Float(1 << 30))
      return UInt8(clamping: Int(limited) + Int(to.zeroPoint))
    }
  }
}

/// One operand of a concatenation that goes through a table.
private struct Rescaled: Sendable {
  let input: Int
  let table: [UInt8]
  /// Elements of the operand that lie together.
  let row: Int
  let copy: StridedCopy

  func run(_ arguments: borrowing KernelArguments, resultRow: Int) {
    let source = arguments.input(input, as: UInt8.self)
    let target = arguments.output(0, as: UInt8.self)
    guard row > 0 else { return }
    for outer in 0..<(source.count / row) {
      for index in 0..<row {
        target[copy.targetStart + outer * resultRow + index] = table[Int(source[outer * row + index])]
      }
    }
  }
}

import TensorCore

/// Cuts operand 1 into `count` equal parts along the axis that operand 0 names.
package struct Split: Operation {
  package let count: Int
  package var name: String { "split" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 1) }

  package init(count: Int) { self.count = count }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    try ResultLimit.check(resultCount: count)
    let shape = try operands.input(1).shape
    let axis = try shape.axis(operands.requireInteger(0, "the axis"))
    guard shape[axis] % count == 0 else {
      throw ApusError(
        .malformedModel, "axis \(axis) of shape \(shape) in \(count) parts", expected: "parts of one size")
    }
    var dimensions = shape.dimensions
    dimensions[axis] /= count
    let part = try Shape(dimensions)
    var types: [TensorType] = []
    for index in 0..<count { types.append(try operands.result(part, like: 1, at: index)) }
    return types
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [0] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let axis = try context.operands.requireInteger(0, "the axis")
    return try .parts(ofInput: 1, axis: axis, context)
  }
}

extension Lowering {
  /// The node whose results are consecutive parts of operand `input` along `axis`.
  static func parts(ofInput input: Int, axis: Int, _ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(input)
    let axis = try type.shape.axis(axis)
    let whole = AxisView(type.shape, axis: axis)
    var items: [CopyKernel.Item] = []
    var position = 0
    for (index, result) in context.results.enumerated() {
      let part = AxisView(result.shape, axis: axis)
      let copy = whole.copy(position..<position + part.extent, into: part, at: 0)
      items.append(CopyKernel.Item(input: input, output: index, copy: copy))
      position += part.extent
    }
    return Lowering("strided copy", moving: type.dataType, CopyKernel(items))
  }
}

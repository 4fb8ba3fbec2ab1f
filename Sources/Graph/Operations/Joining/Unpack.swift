import TensorCore

/// The `count` slices of a tensor along an axis, each without that axis.
package struct Unpack: Operation {
  package let count: Int
  package let axis: Int
  package var name: String { "unpack" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init(count: Int, axis: Int) {
    self.count = count
    self.axis = axis
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    try ResultLimit.check(resultCount: count)
    let shape = try operands.input(0).shape
    let axis = try shape.axis(axis)
    guard shape[axis] == count else {
      throw ApusError(
        .malformedModel, "\(count) slices along axis \(axis) of shape \(shape)", expected: "\(shape[axis])")
    }
    var dimensions = shape.dimensions
    dimensions.remove(at: axis)
    let slice = try Shape(dimensions)
    var types: [TensorType] = []
    for index in 0..<count { types.append(try operands.result(slice, like: 0, at: index)) }
    return types
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0)
    let whole = AxisView(type.shape, axis: try type.shape.axis(axis))
    let items = (0..<count).map { index in
      CopyKernel.Item(
        input: 0, output: index,
        copy: StridedCopy(
          dense: [whole.outer, whole.inner], source: [whole.extent * whole.inner, 1],
          from: index * whole.inner))
    }
    return Lowering("strided copy", moving: type.dataType, CopyKernel(items))
  }
}

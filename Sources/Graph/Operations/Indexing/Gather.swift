import TensorCore

/// The slices of operand 0 along `axis` that the indices in operand 1 name.
///
/// The first `batchDimensions` axes of both are walked together. The result has the shape
/// `params[..<axis] + indices[batchDimensions...] + params[(axis + 1)...]`. A run whose data has an index
/// that does not exist throws ``ApusError``.
package struct Gather: Operation {
  package let axis: Int
  package let batchDimensions: Int
  /// Whether negative indices count from the end.
  package let countsFromEnd: Bool
  package var name: String { "gather" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init(axis: Int = 0, batchDimensions: Int = 0, countsFromEnd: Bool = false) {
    self.axis = axis
    self.countsFromEnd = countsFromEnd
    self.batchDimensions = batchDimensions
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let (axis, batch) = try axes(operands)
    let params = try operands.input(0).shape.dimensions
    let indices = try operands.input(1).shape.dimensions
    let head = Array(params[..<axis]) + Array(indices[batch...])
    return [try operands.result(Shape(head + params[(axis + 1)...]), like: 0).limited()]
  }

  private func axes(_ operands: Operands) throws(ApusError) -> (axis: Int, batch: Int) {
    let params = try operands.input(0).shape
    let indices = try operands.input(1, "the indices", of: IndexReader.types).shape
    let axis = try params.axis(axis)
    let batch = batchDimensions < 0 ? batchDimensions + indices.rank : batchDimensions
    guard batch >= 0, batch <= axis, batch <= indices.rank,
      params.dimensions[..<batch] == indices.dimensions[..<batch]
    else {
      throw ApusError(
        .malformedModel, "\(batchDimensions) batch dimensions for shapes \(params) and \(indices)",
        expected: "common ones before axis \(axis)")
    }
    return (axis, batch)
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (axis, batch) = try axes(context.operands)
    let params = try context.operands.input(0)
    let indices = try context.operands.input(1)
    let dimensions = params.shape.dimensions
    let kernel = GatherKernel(
      batch: dimensions[..<batch].reduce(1, *), outer: dimensions[batch..<axis].reduce(1, *),
      extent: dimensions[axis], inner: dimensions[(axis + 1)...].reduce(1, *),
      count: indices.shape.dimensions[batch...].reduce(1, *), indexType: indices.dataType,
      countsFromEnd: countsFromEnd)
    return Lowering("gather", moving: params.dataType, kernel)
  }
}

import TensorCore

/// Inserts an axis of dimension 1 at the position that operand 1 names; negative ones count from behind the
/// last axis.
package struct ExpandDimensions: Operation {
  package var name: String { "expandDimensions" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    var dimensions = try operands.input(0).shape.dimensions
    let axis = try operands.requireInteger(1, "the new axis")
    let rank = dimensions.count
    guard axis >= -rank - 1, axis <= rank else {
      throw ApusError(
        .malformedModel, "new axis \(axis) for rank \(rank)", expected: "\(-rank - 1) to \(rank)")
    }
    dimensions.insert(1, at: axis < 0 ? axis + rank + 1 : axis)
    return [try operands.result(Shape(dimensions), like: 0)]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering { .alias(ofInput: 0) }
}

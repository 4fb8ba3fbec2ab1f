import TensorCore

/// Drops axes whose dimension is 1: those listed, or all of them when none is.
package struct Squeeze: Operation {
  package let axes: [Int]
  package var name: String { "squeeze" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init(axes: [Int]) { self.axes = axes }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0).shape
    var dropped = Set<Int>()
    for listed in axes {
      let axis = try shape.axis(listed)
      guard shape[axis] == 1 else {
        throw ApusError(.malformedModel, "axis \(listed) of shape \(shape)", expected: "a dimension of 1")
      }
      dropped.insert(axis)
    }
    if axes.isEmpty { dropped = Set(shape.dimensions.indices.filter { shape[$0] == 1 }) }
    let kept = shape.dimensions.indices.filter { !dropped.contains($0) }.map { shape[$0] }
    return [try operands.result(Shape(kept), like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering { .alias(ofInput: 0) }
}

import TensorCore

/// The same elements with the axes in another order: axis k of the result is axis `permutation[k]` of
/// operand 0. The permutation is operand 1.
package struct Transpose: Operation {
  package var name: String { "transpose" }
  package var resultMeaning: ResultMeaning { .reorderedNumbers }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let shape = try operands.input(0).shape
    return [try operands.result(Shape(permutation(operands).map { shape[$0] }), like: 0)]
  }

  private func permutation(_ operands: Operands) throws(ApusError) -> [Int] {
    let shape = try operands.input(0).shape
    var permutation: [Int] = []
    for listed in try operands.requireIntegers(1, "the permutation", count: shape.rank) {
      permutation.append(try shape.axis(listed))
    }
    guard Set(permutation).count == shape.rank else {
      throw ApusError(.malformedModel, "permutation \(permutation)", expected: "each axis once")
    }
    return permutation
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let strides = shape.strides
    let permutation = try permutation(context.operands)
    let copy = StridedCopy(dense: permutation.map { shape[$0] }, source: permutation.map { strides[$0] })
    return try .copy(copy, context)
  }
}

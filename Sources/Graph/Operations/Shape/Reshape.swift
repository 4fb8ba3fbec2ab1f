import TensorCore

/// The same elements in the same order under another shape.
///
/// The shape is an attribute, or the elements of operand 1 when the attribute is nil. One dimension may be
/// −1, which takes what the others leave.
package struct Reshape: Operation {
  package let shape: [Int]?
  package var name: String { "reshape" }
  package var resultMeaning: ResultMeaning { .sameNumbers }

  package init(shape: [Int]?) { self.shape = shape }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...2)
    let input = try operands.input(0)
    let wanted: [Int]
    if let shape { wanted = shape } else { wanted = try operands.requireIntegers(1, "the new shape") }
    return [try operands.result(resolve(wanted, for: input.shape), like: 0)]
  }

  private func resolve(_ wanted: [Int], for shape: Shape) throws(ApusError) -> Shape {
    guard let open = wanted.firstIndex(of: -1) else {
      let result = try Shape(wanted)
      guard result.elementCount == shape.elementCount else { throw mismatch(wanted, shape) }
      return result
    }
    var rest = wanted
    rest[open] = 1
    let known = try Shape(rest).elementCount
    guard known > 0, shape.elementCount % known == 0 else { throw mismatch(wanted, shape) }
    rest[open] = shape.elementCount / known
    return try Shape(rest)
  }

  private func mismatch(_ wanted: [Int], _ shape: Shape) -> ApusError {
    ApusError(
      .malformedModel, "shape \(wanted) for a tensor of shape \(shape)",
      expected: "\(shape.elementCount) elements")
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering { .alias(ofInput: 0) }
}

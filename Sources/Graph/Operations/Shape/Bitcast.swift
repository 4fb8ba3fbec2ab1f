import TensorCore

/// The same bytes read as elements of another type. A narrower type adds a last axis, a wider one takes up
/// the last axis, which must hold just the bytes of one element.
package struct Bitcast: Operation {
  package let type: DataType
  package var name: String { "bitcast" }

  package init(to type: DataType) { self.type = type }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0)
    let from = input.dataType.byteCount
    let to = type.byteCount
    var dimensions = input.shape.dimensions
    if to < from {
      dimensions.append(from / to)
    } else if to > from {
      guard dimensions.popLast() == to / from else {
        throw ApusError(
          .malformedModel, "a tensor \(input) as \(type.rawValue)",
          expected: "a last dimension of \(to / from)")
      }
    }
    return [try operands.result(Shape(dimensions), of: type)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering { .alias(ofInput: 0) }
}

import TensorCore

/// Zeros of the shape in operand 2, to which the slices in operand 1 are added where the rows of operand 0
/// say; slices with the same row add up. Integers wrap; booleans are or-ed. A run whose data has an index that
/// does not exist throws.
package struct ScatterND: Operation {
  package var name: String { "scatterND" }

  package init() {}

  private static let types: [DataType] = [.float32, .int8, .int16, .int32, .int64, .uint8, .bool]

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    let indices = try operands.input(0, "the indices", of: IndexReader.types).shape
    let updates = try operands.input(1, "the updates", of: Self.types).shape
    let shape = try Shape(operands.requireIntegers(2, "the shape"))
    guard let depth = indices.dimensions.last, depth <= shape.rank,
      updates.dimensions == Array(indices.dimensions.dropLast() + shape.dimensions[depth...])
    else {
      throw ApusError(
        .malformedModel, "indices of shape \(indices), updates of shape \(updates), a result of \(shape)",
        expected: "a slice of the result for each row of the indices")
    }
    return [try operands.result(shape, like: 1).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let rows = SliceIndices(try context.operands.input(0), into: context.results[0].shape)
    return switch context.results[0].dataType {
    case .float32: scatter(rows, zero: Float(0)) { $0 + $1 }
    case .int8, .uint8: scatter(rows, zero: UInt8(0)) { $0 &+ $1 }
    case .int16: scatter(rows, zero: UInt16(0)) { $0 &+ $1 }
    case .int32: scatter(rows, zero: UInt32(0)) { $0 &+ $1 }
    case .bool: scatter(rows, zero: UInt8(0)) { $0 | $1 }
    default: scatter(rows, zero: UInt64(0)) { $0 &+ $1 }
    }
  }

  private func scatter<Element: BitwiseCopyable & Sendable>(
    _ rows: SliceIndices, zero: Element, _ add: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering {
    Lowering("scatter") { arguments throws(ApusError) in
      let indices = IndexReader(arguments, 0, rows.indexType)
      let updates = arguments.input(1, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      target.update(repeating: zero)
      for row in 0..<rows.count {
        let slice = try rows.slice(row, indices)
        for element in 0..<rows.sliceSize {
          let position = slice * rows.sliceSize + element
          target[position] = add(target[position], updates[row * rows.sliceSize + element])
        }
      }
    }
  }
}

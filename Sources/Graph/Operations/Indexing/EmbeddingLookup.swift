import TensorCore

/// The rows of operand 1, a table, that the ids in operand 0 name.
///
/// A row is copied as it is; or, when the table is int8 and the result float32, multiplied by the table's
/// scale, one for all rows or one for each. An id that does not exist makes the run throw.
package struct EmbeddingLookup: Operation {
  package var name: String { "embeddingLookup" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let ids = try operands.input(0, "the ids", of: [.int32, .int64]).shape
    let table = try operands.input(1)
    guard ids.rank == 1, table.shape.rank >= 2 else {
      throw ApusError(
        .malformedModel, "ids of shape \(ids) into a table of shape \(table.shape)",
        expected: "a vector, and rows of at least one axis")
    }
    let shape = try Shape([ids[0]] + table.shape.dimensions.dropFirst())
    guard isHybrid(operands, table) else { return [try operands.result(shape, like: 1).limited()] }
    _ = try table.tableScales()
    return [try operands.result(shape, of: .float32).limited()]
  }

  private func isHybrid(_ operands: Operands, _ table: TensorType) -> Bool {
    table.dataType == .int8 && operands.declared.first?.dataType == .float32
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let ids = try context.operands.input(0)
    let table = try context.operands.input(1)
    let row = table.shape.dimensions.dropFirst().reduce(1, *)
    if table.dataType == context.results[0].dataType {
      return Lowering(
        "gather", moving: table.dataType,
        GatherKernel(
          batch: 1, outer: 1, extent: table.shape[0], inner: row, count: ids.shape[0],
          indexType: ids.dataType,
          sourceInput: 1, indexInput: 0))
    }
    let scales = try table.tableScales()
    let rows = table.shape[0]
    return Lowering("dequantizing gather") { arguments throws(ApusError) in
      let indices = IndexReader(arguments, 0, ids.dataType)
      try indices.check(below: rows)
      let source = arguments.input(1, as: Int8.self)
      let target = arguments.output(0, as: Float.self)
      for position in 0..<indices.count {
        let index = indices[position]
        let scale = scales[scales.count == 1 ? 0 : index]
        for element in 0..<row {
          target[position * row + element] = Float(source[index * row + element]) * scale
        }
      }
    }
  }
}

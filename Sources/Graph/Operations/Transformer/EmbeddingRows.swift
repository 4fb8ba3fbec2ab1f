import TensorCore

/// The rows of a table that ids name, as float32.
///
/// Operands: the table [V, W] of float32, float16 or bfloat16, and ids int32 [...]. Result: float32 [..., W].
/// An id outside 0 ..< V makes the run throw.
package struct EmbeddingRows: Operation {
  package var name: String { "embeddingRows" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let table = try operands.input(0, "the table", of: [.float32, .float16, .bfloat16])
    let ids = try operands.input(1, "the ids", of: [.int32])
    guard table.shape.rank == 2 else {
      throw ApusError(
        .malformedModel, "the table (input 0) has shape \(table.shape)", expected: "rows and columns")
    }
    return [try operands.output(Shape(ids.shape.dimensions + [table.shape[1]]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let table = try context.operands.input(0)
    let kernel = "\(name) \(table.dataType.rawValue)"
    let (rows, width) = (table.shape[0], table.shape[1])
    switch table.dataType {
    case .float32: return Lowering(kernel, body: body(rows, width) { (x: Float) in x })
    case .float16: return Lowering(kernel, body: body(rows, width) { (x: UInt16) in Float(halfBits: x) })
    default:
      return Lowering(kernel, body: body(rows, width) { (x: UInt16) in Float(bitPattern: UInt32(x) << 16) })
    }
  }

  private func body<Element: BitwiseCopyable>(
    _ rows: Int, _ width: Int, _ float32: @escaping @Sendable (Element) -> Float
  ) -> Lowering.Body {
    return { arguments throws(ApusError) in
      let ids = arguments.input(1, as: Int32.self)
      let result = arguments.output(0, as: Float.self)
      guard let table = arguments.inputAddress(0) else { return }
      for id in ids where id < 0 || id >= rows {
        throw ApusError(
          .argument, "the id \(id)", expected: "0 ..< \(rows)",
          advice: "Use the tokenizer that belongs to the model.")
      }
      let size = MemoryLayout<Element>.size
      for (position, id) in ids.enumerated() {
        for column in 0..<width {
          let offset = (Int(id) * width + column) * size
          result[position * width + column] = float32(
            table.loadUnaligned(fromByteOffset: offset, as: Element.self))
        }
      }
    }
  }
}

import Kernels
import TensorCore

/// The rows of a table that ids name, as float32.
///
/// Operands: the table [V, W] of float32, float16, bfloat16, or int8 with scales of its rows, and ids int32 [...].
/// Result: float32 [..., W]. An id outside 0 ..< V makes the run throw.
package struct EmbeddingRows: Operation {
  package var name: String { "embeddingRows" }

  package init() {}

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let table = try operands.input(0, "the table", of: [.float32, .float16, .bfloat16, .int8], rank: 2)
    if table.dataType == .int8 { _ = try table.tableScales() }
    let ids = try operands.input(1, "the ids", of: [.int32])
    return [try operands.result(Shape(ids.shape.dimensions + [table.shape[1]]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let table = try context.operands.input(0)
    let (rows, width, stride) = (table.shape[0], table.shape[1], table.shape[1] * table.dataType.byteCount)
    let copy = try Self.copy(table, context.kernels)
    return Lowering("\(name) \(table.dataType.rawValue) \(context.kernels.choice[.float])") {
      arguments throws(ApusError) in
      let ids = arguments.input(1, as: Int32.self)
      guard let table = arguments.inputAddress(0) else { return }
      for id in ids where id < 0 || id >= rows {
        throw ApusError(
          .argument, "the id \(id)", expected: "0 ..< \(rows)",
          advice: "Use the tokenizer that belongs to the model.")
      }
      let result = arguments.outputAddress(0)
      // A row comes from memory, at about ten bytes in a nanosecond.
      ThreadPool.shared.parallel(
        count: ids.count, nanosecondsPerItem: stride / 10 + 10, threads: arguments.threads
      ) { positions, _ in
        for position in positions {
          let row = Int(ids[position])
          copy(table + stride * row, result + 4 * width * position, row)
        }
      }
    }
  }

  /// Copies a row of a table, as float32; the last argument says which it is.
  private static func copy(
    _ table: TensorType, _ kernels: KernelSet
  ) throws(ApusError) -> @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void {
    let (float, width) = (kernels.float, table.shape[1])
    switch table.dataType {
    case .float16: return { source, target, _ in float.widenFloat16(source, target, width) }
    case .bfloat16: return { source, target, _ in float.widenBFloat16(source, target, width) }
    case .int8:
      let scales = try table.tableScales()
      return { source, target, row in
        let (codes, numbers) = (
          source.assumingMemoryBound(to: Int8.self), target.assumingMemoryBound(to: Float.self)
        )
        let scale = scales[scales.count == 1 ? 0 : row]
        for column in 0..<width { numbers[column] = scale * Float(codes[column]) }
      }
    default: return { source, target, _ in target.copyMemory(from: source, byteCount: 4 * width) }
    }
  }
}

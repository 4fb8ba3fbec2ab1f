import Kernels
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
    let table = try operands.input(0, "the table", of: [.float32, .float16, .bfloat16], rank: 2)
    let ids = try operands.input(1, "the ids", of: [.int32])
    return [try operands.result(Shape(ids.shape.dimensions + [table.shape[1]]), of: .float32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let table = try context.operands.input(0)
    let (rows, width, stride) = (table.shape[0], table.shape[1], table.shape[1] * table.dataType.byteCount)
    let copy = Self.copy(table.dataType, context.kernels)
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
          copy(table + stride * Int(ids[position]), result + 4 * width * position, width)
        }
      }
    }
  }

  /// Copies so many elements of a type, as float32.
  private static func copy(
    _ type: DataType, _ kernels: KernelSet
  ) -> @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void {
    let float = kernels.float
    return switch type {
    case .float16: { float.widenFloat16($0, $1, $2) }
    case .bfloat16: { float.widenBFloat16($0, $1, $2) }
    default: { source, target, count in target.copyMemory(from: source, byteCount: 4 * count) }
    }
  }
}

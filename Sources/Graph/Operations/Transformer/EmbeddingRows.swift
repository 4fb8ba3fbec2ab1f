import Kernels
import TensorCore

/// The rows of a table that ids name, as float32.
///
/// Operands: the table [V, W] of float32, float16, bfloat16, or int8 with scales of its rows, and ids int32 [...].
/// Result: float32 [..., W]. An id outside 0 ..< V makes the run throw. Of a table that is derived a row at a time only
/// the rows that are read are made.
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
    let (rows, width) = (table.shape[0], table.shape[1])
    let source = RowSource(table, context)
    let copy = try Self.copy(table, context.kernels)
    var lowering = Lowering(
      "\(name) \(table.dataType.rawValue) \(context.kernels.choice[.float])",
      scratchByteCount: source.scratchByteCount * max(1, context.threads)
    ) { arguments throws(ApusError) in
      let ids = arguments.input(1, as: Int32.self)
      for id in ids where id < 0 || id >= rows {
        throw ApusError(
          .argument, "the id \(id)", expected: "0 ..< \(rows)",
          advice: "Use the tokenizer that belongs to the model.")
      }
      let (table, result, scratch) = (
        arguments.inputAddress(0), arguments.outputAddress(0), arguments.scratch
      )
      ThreadPool.shared.parallel(
        count: ids.count, nanosecondsPerItem: source.nanosecondsPerRow, threads: arguments.threads
      ) { positions, worker in
        for position in positions {
          let row = Int(ids[position])
          guard let stored = source.row(row, table, scratch + worker * source.scratchByteCount) else {
            continue
          }
          copy(stored, result + 4 * width * position, row)
        }
      }
    }
    if source.isDerived { lowering.unreadInputs = [0] }
    return lowering
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

/// Where the rows of a table are: at its address, or made when they are read.
private struct RowSource: Sendable {
  private let stride: Int
  private let derived: DerivedRows?
  /// The first row of the table among those that are derived.
  private let first: Int
  /// Bytes of working memory that a thread takes.
  let scratchByteCount: Int

  init(_ table: TensorType, _ context: LoweringContext) {
    let stride = table.shape[1] * table.dataType.byteCount
    let constant = context.operands.constants.first ?? nil
    derived = constant?.storage.derivation?.rows
    first = stride == 0 ? 0 : (constant?.byteOffset ?? 0) / stride
    scratchByteCount =
      derived.map { TensorStorage.padded(stride) + TensorStorage.padded($0.scratchByteCount) } ?? 0
    self.stride = stride
  }

  var isDerived: Bool { derived != nil }

  /// A row comes from memory, at about ten bytes in a nanosecond; one that is made, at about two.
  var nanosecondsPerRow: Int { (isDerived ? stride / 2 : stride / 10) + 10 }

  /// The stored bytes of a row; nil where there is no table.
  func row(
    _ row: Int, _ table: UnsafeRawPointer?, _ scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer? {
    guard let derived else { return table.map { $0 + stride * row } }
    derived.write(first + row, scratch, scratch + TensorStorage.padded(stride))
    return UnsafeRawPointer(scratch)
  }
}

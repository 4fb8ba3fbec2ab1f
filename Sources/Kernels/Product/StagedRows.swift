import CIntrinsics

/// How float32 rows of a product are laid out for its kernel: brought into working memory because their format or
/// their distance asks for it.
struct StagedRows: Sendable {
  private let format: WeightFormat
  private let depth: Int
  private let roundRows: @convention(c) (UnsafePointer<ApusRowStaging>) -> Void
  private let quantizeRows: @convention(c) (UnsafePointer<ApusRowStaging>) -> Void
  /// Bytes from one row to the next, as the kernel reads them.
  let stride: Int

  /// Nil when dense rows can be read where they are; rows of int16 always are.
  init?(_ format: WeightFormat, depth: Int, kernels: KernelSet) {
    // Rows a multiple of 4096 bytes apart would all fall into one set of the first-level cache.
    guard format != .int16, format != .float32 || 4 * depth % 4096 == 0 else { return nil }
    self.format = format
    self.depth = depth
    roundRows = kernels.bfloat16.roundRows
    quantizeRows = kernels.integer.quantizeRows
    let bytes = (4 * depth / format.elementsPerGroup + 63) / 64 * 64
    stride = bytes % 1024 == 0 ? bytes + 64 : bytes
  }

  /// Working memory for some staged rows.
  struct Memory {
    let rows: UnsafeMutableRawPointer
    /// int8: the scale and the zero point of each row.
    let scales: UnsafeMutablePointer<Float>
    let zeroPoints: UnsafeMutablePointer<Int32>
  }

  /// Bytes of working memory for `count` rows.
  func byteCount(_ count: Int) -> Int { parameterBytes(count) + count * stride + 64 }

  private func parameterBytes(_ count: Int) -> Int { format == .int8 ? (8 * count + 63) / 64 * 64 : 0 }

  /// The parts of a block of ``byteCount(_:)`` bytes.
  func memory(_ block: UnsafeMutableRawPointer, _ count: Int) -> Memory {
    Memory(
      rows: block + parameterBytes(count), scales: block.assumingMemoryBound(to: Float.self),
      zeroPoints: (block + 4 * count).assumingMemoryBound(to: Int32.self))
  }

  /// About what one row takes.
  var nanosecondsPerRow: Int { 20 + depth / 8 }

  /// Brings some of the rows to the same places in `memory`.
  func stage(_ rows: MatrixProduct.Rows, _ range: Range<Int>, to memory: Memory) {
    let first = range.lowerBound
    let source = rows.address + first * rows.stride
    let target = memory.rows + first * stride
    var staging = ApusRowStaging(
      source: source, sourceStride: rows.stride, target: target, targetStride: stride, rows: range.count,
      depth: depth, scales: memory.scales + first, zeroPoints: memory.zeroPoints + first)
    switch format {
    case .float32:
      for row in 0..<range.count {
        (target + row * stride).copyMemory(from: source + row * rows.stride, byteCount: 4 * depth)
      }
    case .bfloat16: roundRows(&staging)
    case .int8: quantizeRows(&staging)
    case .int16: break
    }
  }

  /// The same rows as they lie in `memory`.
  func staged(_ rows: MatrixProduct.Rows, in memory: Memory) -> MatrixProduct.Rows {
    var staged = rows
    staged.address = UnsafeRawPointer(memory.rows)
    staged.stride = stride
    if format == .int8 {
      staged.scales = UnsafePointer(memory.scales)
      staged.zeroPoints = UnsafePointer(memory.zeroPoints)
    }
    return staged
  }
}

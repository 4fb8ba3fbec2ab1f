import CIntrinsics

/// How the rows of a product are laid out for its kernel: in place, or brought into working memory because
/// their format or their distance asks for it.
struct StagedRows: Sendable {
  private let format: WeightFormat
  private let depth: Int
  private let kernels: LinearKernels
  /// Whether rows are brought into working memory at all.
  let isCopied: Bool
  /// Bytes from one row to the next, as the kernel reads them.
  let stride: Int
  /// Rows that stay in the second-level cache while all panels pass over them.
  let blockRows: Int

  init(_ format: WeightFormat, depth: Int, kernels: KernelSet) {
    self.format = format
    self.depth = depth
    self.kernels = kernels.linear
    let dense = 4 * depth
    // Rows a multiple of 4096 bytes apart would all fall into one set of the first-level cache.
    isCopied = format != .float32 || dense % 4096 == 0
    var stride = dense
    if isCopied {
      stride = (4 * depth / format.elementsPerGroup + 63) / 64 * 64
      if stride % 1024 == 0 { stride += 64 }
    }
    self.stride = stride
    let tile = kernels.tileRows
    blockRows = min(8, max(3, Self.blockBytes / max(1, stride) / tile)) * tile
  }

  private static let blockBytes = 384 << 10

  /// Working memory for some staged rows.
  struct Memory {
    let rows: UnsafeMutableRawPointer
    /// int8: the scale and the zero point of each row.
    let scales: UnsafeMutablePointer<Float>
    let zeroPoints: UnsafeMutablePointer<Int32>
  }

  /// Bytes of working memory for `count` rows.
  func byteCount(_ count: Int) -> Int { isCopied ? parameterBytes(count) + count * stride + 64 : 0 }

  private func parameterBytes(_ count: Int) -> Int { format == .int8 ? (8 * count + 63) / 64 * 64 : 0 }

  /// The parts of a block of ``byteCount(_:)`` bytes.
  func memory(_ block: UnsafeMutableRawPointer, _ count: Int) -> Memory {
    Memory(
      rows: block + parameterBytes(count), scales: block.assumingMemoryBound(to: Float.self),
      zeroPoints: (block + 4 * count).assumingMemoryBound(to: Int32.self))
  }

  /// About what one row takes.
  var nanosecondsPerRow: Int { isCopied ? 20 + depth / 8 : 1 }

  /// Brings the rows `range` of dense float32 rows to the rows of `memory` from `place` on.
  func stage(_ input: UnsafeRawPointer, _ range: Range<Int>, to memory: Memory, at place: Int) {
    guard isCopied, !range.isEmpty else { return }
    let source = input + range.lowerBound * 4 * depth
    let target = memory.rows + place * stride
    var staging = ApusRowStaging(
      source: source, sourceStride: 4 * depth, target: target, targetStride: stride, rows: range.count,
      depth: depth, scales: memory.scales + place, zeroPoints: memory.zeroPoints + place)
    switch format {
    case .float32:
      for row in 0..<range.count {
        (target + row * stride).copyMemory(from: source + row * 4 * depth, byteCount: 4 * depth)
      }
    case .bfloat16: kernels.roundRowsBFloat16(&staging)
    case .int8: kernels.quantizeRows(&staging)
    }
  }
}

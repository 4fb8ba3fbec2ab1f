import CIntrinsics
import TensorCore

/// How the rows of a product are laid out for its kernel: brought into working memory because their format or their
/// distance asks for it.
struct StagedRows: Sendable {
  /// What is done with a row.
  private enum Step {
    case copy, round, quantize
    case widen(areSigned: Bool)
  }

  private let step: Step
  private let depth: Int
  private let roundRows: @convention(c) (UnsafePointer<ApusRowStaging>) -> Void
  private let integer: ApusIntegerKernels
  /// Bytes from one row to the next, as the kernel reads them.
  let stride: Int

  /// Rows of float32. Nil when dense rows can be read where they are.
  init?(_ format: WeightFormat, depth: Int, kernels: KernelSet) {
    switch format {
    case .float32:
      // Rows a multiple of 4096 bytes apart would all fall into one set of the first-level cache.
      guard 4 * depth % 4096 == 0 else { return nil }
      self.init(.copy, depth: depth, rowBytes: 4 * depth, kernels)
    case .bfloat16: self.init(.round, depth: depth, rowBytes: 2 * depth, kernels)
    case .int8: self.init(.quantize, depth: depth, rowBytes: Self.rowBytes(depth, kernels), kernels)
    case .int16: return nil
    }
  }

  /// Rows of bytes. Nil when they can be read where they are.
  init?(ofBytes depth: Int, areSigned: Bool, kernels: KernelSet) {
    guard kernels.integer.widensRows else { return nil }
    self.init(.widen(areSigned: areSigned), depth: depth, rowBytes: Self.rowBytes(depth, kernels), kernels)
  }

  private init(_ step: Step, depth: Int, rowBytes: Int, _ kernels: KernelSet) {
    self.step = step
    self.depth = depth
    roundRows = kernels.bfloat16.roundRows
    integer = kernels.integer
    let bytes = (rowBytes + 63) / 64 * 64
    stride = bytes % 1024 == 0 ? bytes + 64 : bytes
  }

  private static func rowBytes(_ depth: Int, _ kernels: KernelSet) -> Int {
    (depth + 3) / 4 * 4 * (kernels.integer.widensRows ? 2 : 1)
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

  private var isQuantizing: Bool { if case .quantize = step { true } else { false } }
  private func parameterBytes(_ count: Int) -> Int { isQuantizing ? (8 * count + 63) / 64 * 64 : 0 }

  /// The parts of a block of ``byteCount(_:)`` bytes.
  func memory(_ block: UnsafeMutableRawPointer, _ count: Int) -> Memory {
    Memory(
      rows: block + parameterBytes(count), scales: block.assumingMemoryBound(to: Float.self),
      zeroPoints: (block + 4 * count).assumingMemoryBound(to: Int32.self))
  }

  /// About what one row takes.
  var nanosecondsPerRow: Int {
    if case .widen = step { return 5 + depth / 32 }
    return 20 + depth / 8
  }

  /// Brings some of the rows to the same places in `memory`.
  func stage(_ rows: MatrixProduct.Rows, _ range: Range<Int>, to memory: Memory) {
    let first = range.lowerBound
    let source = rows.address + first * rows.stride
    let target = memory.rows + first * stride
    var staging = ApusRowStaging(
      source: source, sourceStride: rows.stride, target: target, targetStride: stride, rows: range.count,
      depth: depth, scales: memory.scales + first, zeroPoints: memory.zeroPoints + first, isSigned: 0)
    switch step {
    case .copy:
      for row in 0..<range.count {
        (target + row * stride).copyMemory(from: source + row * rows.stride, byteCount: 4 * depth)
      }
    case .round: roundRows(&staging)
    case .quantize:
      // The bytes lie in the second half of each row until they are widened.
      if integer.widensRows { staging.target += stride / 2 }
      integer.quantizeRows(&staging)
      guard integer.widensRows else { return }
      (staging.source, staging.sourceStride) = (UnsafeRawPointer(staging.target), stride)
      staging.target = target
      integer.widenRows(&staging)
    case .widen(let areSigned):
      staging.isSigned = areSigned ? 1 : 0
      integer.widenRows(&staging)
    }
  }

  /// The same rows as they lie in `memory`.
  func staged(_ rows: MatrixProduct.Rows, in memory: Memory) -> MatrixProduct.Rows {
    var staged = rows
    staged.address = UnsafeRawPointer(memory.rows)
    staged.stride = stride
    if isQuantizing {
      staged.scales = UnsafePointer(memory.scales)
      staged.zeroPoints = UnsafePointer(memory.zeroPoints)
    }
    return staged
  }
}

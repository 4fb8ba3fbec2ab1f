import CIntrinsics
import TensorCore

/// How the rows of a matrix of bytes come to the kernel while it is multiplied: where they lie, or block by block into
/// working memory, because they are stored as columns or the kernel wants them wider.
struct ComputedByteRows: Sendable {
  /// Bytes of working memory.
  let byteCount: Int
  private let isInPlace: Bool
  private let steps: ComputedProduct.Steps
  /// Bytes from one row to the next in working memory.
  private let stride: Int
  private let blockRows: Int
  private let areSigned: Bool
  private let kernels: ApusIntegerKernels

  /// Bytes of rows that stay in the second-level cache.
  private static let blockBytes = 256 << 10

  /// - Parameter block: elements of a row that are multiplied at once.
  init(
    rows: Int, block: Int, steps: ComputedProduct.Steps, areSigned: Bool, _ kernels: ApusIntegerKernels
  ) {
    self.steps = steps
    self.areSigned = areSigned
    self.kernels = kernels
    isInPlace = !kernels.widensRows && (steps.depth == 1 || block <= 1)
    let bytes = TensorStorage.padded((block + 3) / 4 * 4 * (kernels.widensRows ? 2 : 1))
    stride = bytes % 1024 == 0 ? bytes + TensorStorage.alignment : bytes
    let tiles = max(3, Self.blockBytes / max(1, stride) / kernels.tileRows)
    blockRows = max(1, min(rows, tiles * kernels.tileRows))
    // Whole vectors are read behind a row that is made wider.
    byteCount = isInPlace ? 0 : blockRows * stride + TensorStorage.alignment
  }

  /// Calls `body` with blocks of rows, where the first of each begins, and the bytes from one row to the next.
  /// - Parameter elements: those of every row that are multiplied.
  func forEachBlock(
    of rows: Range<Int>, _ matrix: UnsafeRawPointer, _ elements: Range<Int>,
    in memory: UnsafeMutableRawPointer, _ body: (Range<Int>, UnsafeRawPointer, Int) -> Void
  ) {
    let matrix = matrix + elements.lowerBound * steps.depth
    guard !isInPlace else {
      body(rows, matrix + rows.lowerBound * steps.line, steps.line)
      return
    }
    var first = rows.lowerBound
    while first < rows.upperBound {
      let block = first..<min(first + blockRows, rows.upperBound)
      stage(matrix + first * steps.line, rows: block.count, depth: elements.count, to: memory)
      body(block, UnsafeRawPointer(memory), stride)
      first = block.upperBound
    }
  }

  private func stage(
    _ source: UnsafeRawPointer, rows: Int, depth: Int, to memory: UnsafeMutableRawPointer
  ) {
    var (bytes, distance) = (source, steps.line)
    if steps.depth != 1, depth > 1 {
      // The bytes lie in the second half of each row until they are widened.
      let target = kernels.widensRows ? memory + stride / 2 : memory
      transpose(source, rows: rows, depth: depth, to: target)
      (bytes, distance) = (UnsafeRawPointer(target), stride)
    }
    guard kernels.widensRows else { return }
    var staging = ApusRowStaging(
      source: bytes, sourceStride: distance, target: memory, targetStride: stride, rows: rows, depth: depth,
      scales: nil, zeroPoints: nil, isSigned: areSigned ? 1 : 0)
    kernels.widenRows(&staging)
  }

  private func transpose(
    _ source: UnsafeRawPointer, rows: Int, depth: Int, to target: UnsafeMutableRawPointer
  ) {
    let source = source.assumingMemoryBound(to: UInt8.self)
    let target = target.assumingMemoryBound(to: UInt8.self)
    for element in 0..<depth {
      let line = source + element * steps.depth
      for row in 0..<rows { target[row * stride + element] = line[row * steps.line] }
    }
  }
}

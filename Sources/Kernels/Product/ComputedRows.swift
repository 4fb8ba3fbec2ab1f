import CIntrinsics
import TensorCore

/// How the rows of a float32 matrix come to the kernel while it is multiplied: where they lie, or block by block into working
/// memory, because they are stored as columns or at a distance that caches do not bear.
struct ComputedRows: Sendable {
  private enum Way {
    case inPlace, copy, transpose
  }

  /// Bytes of working memory.
  let byteCount: Int
  private let way: Way
  private let steps: ComputedProduct.Steps
  /// Bytes from one row to the next in working memory.
  private let stride: Int
  private let blockRows: Int
  private let spreader: ColumnSpreader

  /// Bytes of rows that stay in the second-level cache.
  private static let blockBytes = 256 << 10

  /// - Parameter block: elements of a row that are multiplied at once.
  init(rows: Int, block: Int, steps: ComputedProduct.Steps, _ kernels: ApusFloatKernels) {
    self.steps = steps
    spreader = ColumnSpreader(kernels)
    if steps.depth != 1, block > 1 {
      way = .transpose
    } else if steps.line * 4 % 4096 == 0, rows > 1 {
      // Rows a multiple of 4096 bytes apart would all fall into one set of the first-level cache.
      way = .copy
    } else {
      way = .inPlace
    }
    let bytes = TensorStorage.padded(4 * ((block + spreader.width - 1) / spreader.width * spreader.width))
    stride = bytes % 1024 == 0 ? bytes + TensorStorage.alignment : bytes
    let tiles = max(3, Self.blockBytes / stride / kernels.tileRows)
    blockRows = max(1, min(rows, tiles * kernels.tileRows))
    byteCount = way == .inPlace ? 0 : spreader.byteCount + blockRows * stride
  }

  /// Calls `body` with blocks of rows, where the first of each begins, and the bytes from one row to the next.
  /// - Parameter elements: those of every row that are multiplied.
  func forEachBlock(
    of rows: Range<Int>, _ matrix: UnsafePointer<Float>, _ elements: Range<Int>,
    in memory: UnsafeMutableRawPointer, _ body: (Range<Int>, UnsafeRawPointer, Int) -> Void
  ) {
    let matrix = matrix + elements.lowerBound * steps.depth
    guard way != .inPlace else {
      body(rows, UnsafeRawPointer(matrix + rows.lowerBound * steps.line), 4 * steps.line)
      return
    }
    let target = memory + spreader.byteCount
    var first = rows.lowerBound
    while first < rows.upperBound {
      let block = first..<min(first + blockRows, rows.upperBound)
      let source = matrix + first * steps.line
      if way == .copy {
        for row in 0..<block.count {
          (target + row * stride).copyMemory(from: source + row * steps.line, byteCount: 4 * elements.count)
        }
      } else {
        transpose(source, rows: block.count, depth: elements.count, to: target, memory)
      }
      body(block, UnsafeRawPointer(target), stride)
      first = block.upperBound
    }
  }

  /// What a panel is to the columns of a matrix, some elements of all rows are to those of its transpose.
  private func transpose(
    _ source: UnsafePointer<Float>, rows: Int, depth: Int, to target: UnsafeMutableRawPointer,
    _ memory: UnsafeMutableRawPointer
  ) {
    for first in Swift.stride(from: 0, to: depth, by: spreader.width) {
      spreader.spread(
        UnsafeRawPointer(source + first * steps.depth), columns: depth - first, width: spreader.width,
        steps: (steps.depth, steps.line), depth: rows, to: target + 4 * first, stride: stride, in: memory)
    }
  }
}

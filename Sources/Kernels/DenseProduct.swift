import CIntrinsics
import TensorCore

/// A linear layer prepared to run: packed weights, the kernels for their format, what happens to the sums.
package struct DenseProduct: Sendable {
  package let matrix: PackedMatrix
  package let format: WeightFormat
  private let kernels: KernelSet
  private let activation: Int32
  /// What results are limited to, before the activation.
  private let low: Float
  private let rows: StagedRows

  /// - Parameters:
  ///   - activation: the function applied to the results, by its number in `KernelArguments.h`.
  ///   - isRectified: whether results below 0 become 0, before that.
  package init(
    _ matrix: PackedMatrix, _ format: WeightFormat, activation: Int32 = APUS_IDENTITY,
    isRectified: Bool = false, kernels: KernelSet
  ) {
    self.matrix = matrix
    self.format = format
    self.kernels = kernels
    self.activation = activation
    low = isRectified ? 0 : -.infinity
    rows = StagedRows(format, depth: matrix.depth, kernels: kernels)
  }

  /// The kernel's name in reports.
  package var name: String { "gemm \(format.rawValue) \(kernels.tileRows)x\(kernels.panelColumns)" }

  /// Bytes of working memory for that many rows.
  package func scratchByteCount(rows count: Int, threads: Int) -> Int {
    let staged = splitsRows(count) ? max(1, threads) * rows.blockRows : count
    return rows.byteCount(staged)
  }

  /// Whether threads take blocks of rows; else there are few, and they take panels of columns.
  private func splitsRows(_ count: Int) -> Bool { count >= 6 * rows.blockRows }

  /// Where the operands of a product lie. All rows are dense.
  package struct Operands {
    package var input: UnsafeRawPointer
    package var result: UnsafeMutableRawPointer
    /// Added to the sums; laid out as the result.
    package var residual: UnsafePointer<Float>?

    package init(
      input: UnsafeRawPointer, result: UnsafeMutableRawPointer, residual: UnsafePointer<Float>? = nil
    ) {
      self.input = input
      self.result = result
      self.residual = residual
    }
  }

  /// Computes `count` rows, on up to `threads` threads. No result depends on how the work is shared.
  /// - Parameter scratch: as much working memory as ``scratchByteCount(rows:threads:)`` says.
  package func multiply(
    _ operands: Operands, rows count: Int, scratch: UnsafeMutableRawPointer, threads: Int
  ) {
    if splitsRows(count) {
      multiplyBlocks(operands, rows: count, scratch: scratch, threads: threads)
    } else {
      let memory = rows.memory(scratch, count)
      ThreadPool.shared.parallel(
        count: count, nanosecondsPerItem: rows.nanosecondsPerRow, threads: threads
      ) { range, _ in
        rows.stage(operands.input, range, to: memory, at: range.lowerBound)
      }
      multiplyPanels(gemm(operands, 0..<count, memory), threads: threads)
    }
  }

  /// Blocks of about as many rows, each a whole number of tiles; the threads get as many blocks each.
  private func multiplyBlocks(
    _ operands: Operands, rows count: Int, scratch: UnsafeMutableRawPointer, threads: Int
  ) {
    let tile = kernels.tileRows
    let tiles = (count + tile - 1) / tile
    let sharers = max(1, threads)
    let fewest = (count + rows.blockRows - 1) / rows.blockRows
    let blocks = min(tiles, (fewest + sharers - 1) / sharers * sharers)
    ThreadPool.shared.parallel(count: blocks, grain: 1, threads: threads) { range, worker in
      let memory = rows.memory(scratch + worker * rows.byteCount(rows.blockRows), rows.blockRows)
      for block in range {
        let first = tiles * block / blocks * tile
        let part = first..<min(count, tiles * (block + 1) / blocks * tile)
        rows.stage(operands.input, part, to: memory, at: 0)
        var gemm = gemm(operands, part, memory)
        kernel(&gemm)
      }
    }
  }

  private func multiplyPanels(_ whole: ApusGemm, threads: Int) {
    let width = 2 * matrix.lanes
    let perPanel = whole.rows * width * matrix.depth / multiplyAccumulatesPerNanosecond
    ThreadPool.shared.parallel(
      count: matrix.panelCount, nanosecondsPerItem: perPanel, threads: threads
    ) { range, _ in
      let first = range.lowerBound * width
      var part = whole
      part.panels = matrix.panels + range.lowerBound * matrix.panelStride
      part.columns = min(matrix.columns, range.upperBound * width) - first
      part.c = whole.c + first * 4
      part.residual = whole.residual.map { $0 + first }
      kernel(&part)
    }
  }

  /// About what one thread does; decides how work is shared.
  private var multiplyAccumulatesPerNanosecond: Int {
    switch format {
    case .float32: 125
    case .bfloat16: 250
    case .int8: 500
    }
  }

  private var kernel: (UnsafePointer<ApusGemm>) -> Void {
    switch format {
    case .float32: kernels.gemmFloat32
    case .bfloat16: kernels.gemmBFloat16
    case .int8: kernels.gemmInteger8ToFloat32
    }
  }

  /// The product of some rows, whose staged form lies in `memory`.
  private func gemm(_ operands: Operands, _ range: Range<Int>, _ memory: StagedRows.Memory) -> ApusGemm {
    let resultStride = 4 * matrix.columns
    var gemm = ApusGemm(
      rows: range.count, a: memory.rows, aStride: rows.stride,
      c: operands.result + range.lowerBound * resultStride, cStride: resultStride, resultIsByte: false)
    if !rows.isCopied {
      gemm.a = operands.input + range.lowerBound * rows.stride
    }
    gemm.panels = matrix.panels
    gemm.panelStride = matrix.panelStride
    gemm.columns = matrix.columns
    gemm.depth = matrix.groups
    gemm.low = low
    gemm.activation = activation
    gemm.residual = operands.residual.map { $0 + range.lowerBound * matrix.columns }
    gemm.residualStride = resultStride
    if format == .int8 {
      gemm.rowScales = UnsafePointer(memory.scales)
      gemm.rowSums = UnsafePointer(memory.zeroPoints)
    }
    return gemm
  }
}

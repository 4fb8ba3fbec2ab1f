import CIntrinsics
import TensorCore

/// A matrix product prepared to run: packed weights (for each group of a grouped convolution), the kernel for their
/// format, how rows are brought into it, and what happens to the sums.
package struct MatrixProduct: Sendable {
  /// One for each group.
  package let matrices: [PackedMatrix]
  /// Whether something else keeps them, for other products too.
  package var areKept = false
  /// The kernel's name in reports.
  package let name: String
  /// What is multiplied.
  package let format: WeightFormat
  /// Bytes of one element of the rows as they are given, and of the result.
  package let inputBytes: Int
  package let outputBytes: Int
  package let tileRows: Int
  /// Integer: what each row's sum of elements is multiplied by and added to its results; 0 when the weights'
  /// zero point is 0.
  package let rowSumFactor: Int32
  package let gatherPatches: @convention(c) (UnsafePointer<ApusPatches>) -> Void
  /// About what one thread does; decides how work is shared.
  package let multiplyAccumulatesPerNanosecond: Int
  /// Convolves float32 images as they lie, reading a panel once for some eight pixels; nil where products of gathered patches
  /// are faster, because panels do not stay in the second-level cache for example, and where rows are no float32.
  package let convolve: (@convention(c) (UnsafePointer<ApusConvolution>) -> Void)?
  private let kernel: @convention(c) (UnsafePointer<ApusGemm>) -> Void
  private let sumRows: SumRows
  package let sums: SumTreatment
  /// For rows that the kernel wants otherwise; nil when it reads them where they are.
  private let staging: StagedRows?
  /// Rows that stay in the second-level cache while all panels pass over them.
  private let blockRows: Int

  private typealias SumRows =
    @convention(c) (
      UnsafeRawPointer, Int, Int, Int, Bool, Int32, UnsafeMutablePointer<Int32>
    ) -> Void

  /// What happens to the sums, but for what the panels say of their columns.
  package struct SumTreatment {
    /// Float results are limited to this range, then get the function of that number in `KernelArguments.h`.
    package var low: Float = -.infinity
    package var high: Float = .infinity
    package var activation = APUS_IDENTITY
    /// Integer: the range of results.
    var quanta: ClosedRange<Int32> = 0...0
    /// Integer: whether the bytes of the rows are signed.
    var isSigned = false
    var rowSumFactor: Int32 = 0
  }

  /// - Parameters:
  ///   - name: without the size of the tiles.
  ///   - outputBytes: 1 or 2 for results that are requantized, else 4.
  init(
    _ matrices: [PackedMatrix], _ format: WeightFormat, name: String, inputBytes: Int, outputBytes: Int = 4,
    _ sums: SumTreatment, staging: StagedRows? = nil, kernels: KernelSet
  ) {
    self.matrices = matrices
    self.format = format
    self.inputBytes = inputBytes
    self.outputBytes = outputBytes
    self.sums = sums
    self.staging = staging
    tileRows = kernels.tileRows(format)
    rowSumFactor = sums.rowSumFactor
    gatherPatches = kernels.float.gatherPatches
    let isResident = (matrices.first?.panelStride ?? 0) <= Self.residentBytes
    let convolves = format == .float32 && kernels.float.prefersConvolve && isResident
    convolve = convolves ? kernels.float.convolve : nil
    sumRows = kernels.integer.sumRows
    self.name = "\(name) \(tileRows)x\(2 * kernels.lanes(format))"
    switch format {
    case .float32: (kernel, multiplyAccumulatesPerNanosecond) = (kernels.float.gemm, 125)
    case .bfloat16: (kernel, multiplyAccumulatesPerNanosecond) = (kernels.bfloat16.gemm, 250)
    case .int8:
      kernel = outputBytes == 1 ? kernels.integer.gemm : kernels.integer.gemmToFloat32
      multiplyAccumulatesPerNanosecond = 500
    case .int16: (kernel, multiplyAccumulatesPerNanosecond) = (kernels.integer.gemm16, 200)
    }
    let depth = matrices.first?.depth ?? 0
    let rowBytes = staging?.stride ?? depth * inputBytes
    blockRows = min(8, max(3, Self.blockBytes / max(1, rowBytes) / tileRows)) * tileRows
  }

  /// Bytes of a block of rows in the second-level cache; and of panels that stay there.
  private static let blockBytes = 384 << 10
  private static let residentBytes = 640 << 10

  /// Bytes of working memory that ``multiply(group:_:threads:)`` needs for that many rows.
  package func scratchByteCount(rows count: Int, threads: Int) -> Int {
    guard let staging, let matrix = matrices.first else { return 0 }
    return splitsRows(matrix, count)
      ? max(1, threads) * staging.byteCount(blockRows) : staging.byteCount(count)
  }

  /// Computes all columns of one group for `rows`, on up to `threads` threads. No result depends on how the work is
  /// shared.
  package func multiply(group: Int = 0, _ rows: Rows, threads: Int) {
    let matrix = matrices[group]
    if splitsRows(matrix, rows.count) {
      multiplyRows(matrix, rows, threads: threads)
    } else {
      multiplyPanels(matrix, rows, threads: threads)
    }
  }

  /// Whether threads take rows and go over all panels; else they take panels and go over all rows, so that none
  /// reads all of the weights.
  private func splitsRows(_ matrix: PackedMatrix, _ count: Int) -> Bool {
    let tiles = (count + tileRows - 1) / tileRows
    return tiles >= matrix.panelCount || count >= 6 * blockRows || tiles >= 8 && isResident(matrix)
  }

  /// Whether every thread may hold all panels in its cache.
  private func isResident(_ matrix: PackedMatrix) -> Bool { matrix.byteCount <= Self.residentBytes }

  /// Pieces of whole tiles: single ones where that costs nothing; else blocks of about as many rows, as many for
  /// each thread.
  private func multiplyRows(_ matrix: PackedMatrix, _ rows: Rows, threads: Int) {
    let tiles = (rows.count + tileRows - 1) / tileRows
    var pieces = tiles
    if staging != nil || !isResident(matrix) {
      let sharers = max(1, threads)
      let fewest = (rows.count + blockRows - 1) / blockRows
      pieces = min(tiles, (fewest + sharers - 1) / sharers * sharers)
    }
    let work = rows.count * matrix.columns * matrix.depth / multiplyAccumulatesPerNanosecond
    ThreadPool.shared.parallel(
      count: pieces, nanosecondsPerItem: work / max(1, pieces), threads: threads
    ) { range, worker in
      func rowsOf(_ range: Range<Int>) -> Range<Int> {
        let end = min(rows.count, tiles * range.upperBound / pieces * tileRows)
        return (tiles * range.lowerBound / pieces * tileRows)..<end
      }
      guard let staging else {
        multiply(matrix, withSums(rows.part(rowsOf(range)), matrix))
        return
      }
      let memory = staging.memory(rows.scratch + worker * staging.byteCount(blockRows), blockRows)
      for piece in range {
        let part = withSums(rows.part(rowsOf(piece..<(piece + 1))), matrix)
        staging.stage(part, 0..<part.count, to: memory)
        multiply(matrix, staging.staged(part, in: memory))
      }
    }
  }

  private func multiplyPanels(_ matrix: PackedMatrix, _ rows: Rows, threads: Int) {
    var whole = withSums(rows, matrix)
    if let staging {
      let memory = staging.memory(rows.scratch, rows.count)
      ThreadPool.shared.parallel(
        count: rows.count, nanosecondsPerItem: staging.nanosecondsPerRow, threads: threads
      ) { range, _ in staging.stage(rows, range, to: memory) }
      whole = staging.staged(whole, in: memory)
    }
    let perPanel = rows.count * 2 * matrix.lanes * matrix.depth / multiplyAccumulatesPerNanosecond
    ThreadPool.shared.parallel(
      count: matrix.panelCount, nanosecondsPerItem: perPanel, threads: threads
    ) { range, _ in multiply(matrix, whole, panels: range) }
  }

  /// The rows with their sums, where the weights' zero point asks for them.
  private func withSums(_ rows: Rows, _ matrix: PackedMatrix) -> Rows {
    if rowSumFactor != 0, let target = rows.sums {
      sumRows(rows.address, rows.stride, rows.count, matrix.depth, sums.isSigned, rowSumFactor, target)
    }
    return rows
  }

  /// Rows that are as the kernel wants them, times some panels, on this thread.
  private func multiply(_ matrix: PackedMatrix, _ rows: Rows, panels: Range<Int>? = nil) {
    let panels = panels ?? 0..<matrix.panelCount
    let first = panels.lowerBound * 2 * matrix.lanes
    var gemm = ApusGemm(
      a: rows.address, aStride: rows.stride,
      panels: matrix.panels + panels.lowerBound * matrix.panelStride, panelStride: matrix.panelStride,
      c: rows.result + first * outputBytes, cStride: rows.resultStride, rows: rows.count,
      columns: min(matrix.columns, panels.upperBound * 2 * matrix.lanes) - first, depth: matrix.groups,
      residual: rows.residual.map { $0 + first }, residualStride: rows.resultStride, low: sums.low,
      high: sums.high,
      rowSums: rows.scales != nil ? rows.zeroPoints : rowSumFactor != 0 ? UnsafePointer(rows.sums) : nil,
      rowScales: rows.scales, scalesColumnsFirst: rows.scalesColumnsFirst ? 1 : 0,
      lowQuantum: sums.quanta.lowerBound, highQuantum: sums.quanta.upperBound,
      isSigned: sums.isSigned ? 1 : 0, activation: sums.activation)
    kernel(&gemm)
  }
}

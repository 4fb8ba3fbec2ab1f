import CIntrinsics
import TensorCore

extension PackedMatrix {
  /// Runs `kernel` for all rows and columns, on several threads when that pays.
  ///
  /// The split is by rows, or by panels when there are few rows; either way no result depends on it.
  /// - Parameters:
  ///   - product: the operands; rows and result as for one thread, the matrix's fields are filled in.
  ///   - multiplyAccumulatesPerNanosecond: about what one thread does.
  ///   - prepareRows: called before the product of a range of rows, on the same thread.
  package func multiply(
    _ product: ApusGemm, threads: Int, tileRows: Int, multiplyAccumulatesPerNanosecond: Int,
    prepareRows: (Range<Int>) -> Void = { _ in }, _ kernel: (UnsafePointer<ApusGemm>) -> Void
  ) {
    var product = product
    product.panels = panels
    product.panelStride = panelStride
    product.columns = columns
    product.depth = groups
    let rows = product.rows
    let tiles = (rows + tileRows - 1) / tileRows
    let resultBytes = resultElementBytes(product)
    if tiles >= 8 || tiles > panelCount {
      let perTile = tileRows * columns * depth / multiplyAccumulatesPerNanosecond
      ThreadPool.shared.parallel(
        count: tiles, nanosecondsPerItem: perTile, threads: threads
      ) { range, _ in
        let first = range.lowerBound * tileRows
        let end = min(rows, range.upperBound * tileRows)
        prepareRows(first..<end)
        var part = product.rows(first..<end)
        kernel(&part)
      }
    } else {
      prepareRows(0..<rows)
      let perPanel = rows * 2 * lanes * depth / multiplyAccumulatesPerNanosecond
      ThreadPool.shared.parallel(
        count: panelCount, nanosecondsPerItem: perPanel, threads: threads
      ) { range, _ in
        let first = range.lowerBound * 2 * lanes
        var part = product
        part.panels = panels + range.lowerBound * panelStride
        part.columns = min(columns, range.upperBound * 2 * lanes) - first
        part.c = product.c + first * resultBytes
        part.residual = product.residual.map { $0 + first }
        kernel(&part)
      }
    }
  }

  /// Bytes of one element of the result: float32, or 8 bits after requantization.
  private func resultElementBytes(_ product: ApusGemm) -> Int { product.resultIsByte != 0 ? 1 : 4 }
}

extension ApusGemm {
  /// The same product for some of the rows.
  func rows(_ range: Range<Int>) -> ApusGemm {
    var part = self
    part.rows = range.count
    part.a = a + range.lowerBound * aStride
    part.c = c + range.lowerBound * cStride
    part.residual = residual.map {
      (UnsafeRawPointer($0) + range.lowerBound * residualStride).assumingMemoryBound(to: Float.self)
    }
    part.rowSums = rowSums.map { $0 + range.lowerBound }
    part.rowScales = rowScales.map { $0 + range.lowerBound }
    return part
  }

  /// A product without residual or corrections, its results unlimited; the matrix's fields are filled in by
  /// ``PackedMatrix/multiply``.
  package init(
    rows: Int, a: UnsafeRawPointer, aStride: Int, c: UnsafeMutableRawPointer, cStride: Int, resultIsByte: Bool
  ) {
    self.init(
      a: a, aStride: aStride, panels: a, panelStride: 0, c: c, cStride: cStride, rows: rows, columns: 0,
      depth: 0, residual: nil, residualStride: 0, low: -.infinity, high: .infinity, rowSums: nil,
      rowScales: nil, scalesColumnsFirst: 0, lowQuantum: 0, highQuantum: 0, tiesAway: 1, isSigned: 0,
      resultIsByte: resultIsByte ? 1 : 0, activation: APUS_IDENTITY)
  }
}

/// What products of stacks of matrices share, whatever their numbers are: the pieces of the work, the panels of their second
/// factors, and the memory of each thread.
struct ComputedWork: Sendable {
  let panels: ComputedPanels
  /// Bytes of working memory of all threads.
  let scratchByteCount: Int
  private let pieces: ComputedPieces
  private let rows: Int
  private let threads: Int
  private let bytesOfThread: Int

  /// - Parameters:
  ///   - panels: those of one second factor.
  ///   - rowBytes: of working memory that a thread needs for rows.
  ///   - tileRows: of the kernel.
  init(matrices: Int, rows: Int, panels: ComputedPanels, rowBytes: Int, tileRows: Int, threads: Int) {
    self.panels = panels
    self.rows = rows
    self.threads = max(1, min(threads, ThreadPool.shared.size))
    pieces = ComputedPieces(
      matrices: matrices, rows: rows, panels: panels.count, panelsOfPiece: panels.countOfPiece,
      tileRows: tileRows, threads: self.threads)
    bytesOfThread = panels.byteCount + rowBytes
    let (bytes, overflow) = bytesOfThread.multipliedReportingOverflow(by: self.threads)
    scratchByteCount = overflow ? .max : bytes
  }

  /// Some rows and panels of one product.
  struct Piece {
    let matrix: Int
    let rows: Range<Int>
    let panels: Range<Int>
    /// Where its results begin among those of all products, and how many columns it has.
    let firstResult: Int
    let columns: Int
    /// The memory of the thread: for panels, then for rows.
    let panelMemory: UnsafeMutableRawPointer
    let rowMemory: UnsafeMutableRawPointer
  }

  /// Calls `body` with all pieces, on up to `threads` threads.
  /// - Parameter productsPerNanosecond: that a thread computes.
  func forEachPiece(
    threads: Int, productsPerNanosecond: Int, in scratch: UnsafeMutableRawPointer, _ body: (Piece) -> Void
  ) {
    let products = [panels.depth, panels.columns, rows, pieces.matrices].reduce(1.0) { $0 * Double($1) }
    let nanoseconds = products / Double(productsPerNanosecond) / Double(max(1, pieces.count))
    ThreadPool.shared.parallel(
      count: pieces.count, nanosecondsPerItem: Int(min(nanoseconds, 1e9)),
      threads: min(threads, self.threads)
    ) { range, worker in
      for index in range {
        let (matrix, rows, panels) = pieces[index]
        let (first, memory) = (panels.lowerBound * self.panels.width, scratch + worker * bytesOfThread)
        body(
          Piece(
            matrix: matrix, rows: rows, panels: panels,
            firstResult: matrix * self.rows * self.panels.columns + first,
            columns: min(self.panels.columns, panels.upperBound * self.panels.width) - first,
            panelMemory: memory, rowMemory: memory + self.panels.byteCount))
      }
    }
  }
}

import CIntrinsics
import TensorCore

/// Products C = A × B of stacks of matrices of bytes, those of B signed, to sums of 32 bits, of which neither factor is known
/// before they are multiplied. Sums are exact; those that do not fit wrap, the same way on every instruction set.
///
/// Otherwise it is what ``ComputedProduct`` is.
package struct ComputedByteProduct: Sendable {
  /// The kernel's name in reports.
  package let name: String
  /// Bytes of working memory that ``multiply(_:threads:origins:)`` needs.
  package let scratchByteCount: Int
  private let pieces: ComputedPieces
  private let panels: ComputedPanels
  private let staging: ComputedByteRows
  private let kernels: ApusIntegerKernels
  private let rows: Int
  private let areSigned: Bool
  private let threads: Int

  /// Elements of a column that are packed at once, so that panels fit the cache.
  private static let depthOfBlock = 16_384

  /// - Parameters:
  ///   - matrices: how many products there are.
  ///   - areSigned: whether the bytes of A are.
  ///   - threads: that may share the work.
  package init(
    matrices: Int, rows: Int, columns: Int, depth: Int, a: ComputedProduct.Steps, b: ComputedProduct.Steps,
    areSigned: Bool, threads: Int, kernels: KernelSet
  ) {
    self.kernels = kernels.integer
    self.rows = rows
    self.areSigned = areSigned
    self.threads = max(1, min(threads, ThreadPool.shared.size))
    let block = min(depth, Self.depthOfBlock)
    panels = ComputedPanels(
      columns: columns, depth: depth, block: block, steps: b, ColumnSpreader(kernels.integer))
    staging = ComputedByteRows(rows: rows, block: block, steps: a, areSigned: areSigned, kernels.integer)
    pieces = ComputedPieces(
      matrices: matrices, rows: rows, panels: panels.count, panelsOfPiece: panels.countOfPiece,
      tileRows: kernels.integer.tileRows, threads: self.threads)
    name = "gemm int8 \(kernels.integer.tileRows)x\(2 * kernels.integer.lanes)"
    let (bytes, overflow) = (panels.byteCount + staging.byteCount).multipliedReportingOverflow(
      by: self.threads)
    scratchByteCount = overflow ? .max : bytes
  }

  /// Where the matrices lie. Up to 63 bytes behind A are read.
  package struct Operands {
    package var a: UnsafeRawPointer
    package var b: UnsafePointer<Int8>
    /// Results, row by row, one matrix after the other.
    package var c: UnsafeMutablePointer<Int32>
    package var scratch: UnsafeMutableRawPointer

    package init(
      a: UnsafeRawPointer, b: UnsafePointer<Int8>, c: UnsafeMutablePointer<Int32>,
      scratch: UnsafeMutableRawPointer
    ) {
      (self.a, self.b, self.c, self.scratch) = (a, b, c, scratch)
    }
  }

  /// Computes all products on up to `threads` threads.
  /// - Parameter origins: the elements at which the factors of a product begin.
  package func multiply(_ operands: Operands, threads: Int, origins: (Int) -> (a: Int, b: Int)) {
    let products = [panels.depth, panels.columns, rows, pieces.matrices].reduce(1.0) { $0 * Double($1) }
    let nanoseconds = products / Double(32 * kernels.lanes) / Double(max(1, pieces.count))
    let bytes = panels.byteCount + staging.byteCount
    ThreadPool.shared.parallel(
      count: pieces.count, nanosecondsPerItem: Int(min(nanoseconds, 1e9)),
      threads: min(threads, self.threads)
    ) { range, worker in
      for piece in range {
        let (matrix, rows, panels) = pieces[piece]
        multiply(operands, matrix, origins(matrix), rows, panels, operands.scratch + worker * bytes)
      }
    }
  }

  private func multiply(
    _ operands: Operands, _ matrix: Int, _ origins: (a: Int, b: Int), _ rows: Range<Int>,
    _ range: Range<Int>, _ scratch: UnsafeMutableRawPointer
  ) {
    let first = range.lowerBound * panels.width
    let columns = min(panels.columns, range.upperBound * panels.width) - first
    let c = operands.c + matrix * self.rows * panels.columns + first
    var element = 0
    repeat {
      let elements = element..<min(element + panels.block, panels.depth)
      panels.pack(range, operands.b + origins.b, elements, rowsAreSigned: areSigned, to: scratch)
      staging.forEachBlock(
        of: rows, operands.a + origins.a, elements, in: scratch + panels.byteCount
      ) { block, address, stride in
        let result = c + block.lowerBound * panels.columns
        // Where the first sums are, later ones are added.
        let sums = UnsafeRawPointer(result).assumingMemoryBound(to: Float.self)
        var gemm = ApusGemm(
          a: address, aStride: stride, panels: panels.address(in: scratch), panelStride: panels.stride,
          c: result, cStride: 4 * panels.columns, rows: block.count, columns: columns,
          depth: panels.groups(elements.count), residual: element == 0 ? nil : sums, residualStride: 0,
          low: 0, high: 0, rowSums: nil, rowScales: nil, scalesColumnsFirst: 0, lowQuantum: 0,
          highQuantum: 0, isSigned: areSigned ? 1 : 0, activation: APUS_IDENTITY)
        kernels.gemmToInteger32(&gemm)
      }
      element = elements.upperBound
    } while element < panels.depth
  }
}

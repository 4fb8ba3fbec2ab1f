import CIntrinsics
import TensorCore

/// Products C = A × B of stacks of matrices of bytes, those of B signed, to sums of 32 bits, of which neither factor is known
/// before they are multiplied. Sums are exact; those that do not fit wrap, the same way on every instruction set.
///
/// Otherwise it is what ``ComputedProduct`` is.
package struct ComputedByteProduct: Sendable {
  /// The kernel's name in reports.
  package var name: String { "gemm int8 \(kernels.tileRows)x\(2 * kernels.lanes)" }
  /// Bytes of working memory that ``multiply(_:threads:origins:)`` needs.
  package var scratchByteCount: Int { work.scratchByteCount }
  private let work: ComputedWork
  private let staging: ComputedByteRows
  private let kernels: ApusIntegerKernels
  private let areSigned: Bool

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
    self.areSigned = areSigned
    let block = min(depth, Self.depthOfBlock)
    staging = ComputedByteRows(rows: rows, block: block, steps: a, areSigned: areSigned, kernels.integer)
    work = ComputedWork(
      matrices: matrices, rows: rows,
      panels: ComputedPanels(
        columns: columns, depth: depth, block: block, steps: b, ColumnSpreader(kernels.integer)),
      rowBytes: staging.byteCount, tileRows: kernels.integer.tileRows, threads: threads)
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
    work.forEachPiece(
      threads: threads, productsPerNanosecond: 32 * kernels.lanes, in: operands.scratch
    ) { piece in
      multiply(operands, piece, origins(piece.matrix))
    }
  }

  private func multiply(_ operands: Operands, _ piece: ComputedWork.Piece, _ origins: (a: Int, b: Int)) {
    let panels = work.panels
    var element = 0
    repeat {
      let elements = element..<min(element + panels.block, panels.depth)
      panels.pack(
        piece.panels, operands.b + origins.b, elements, rowsAreSigned: areSigned, to: piece.panelMemory)
      staging.forEachBlock(of: piece.rows, operands.a + origins.a, elements, in: piece.rowMemory) {
        block, address, stride in
        let result = operands.c + piece.firstResult + block.lowerBound * panels.columns
        // Where the first sums are, later ones are added.
        let sums = UnsafeRawPointer(result).assumingMemoryBound(to: Float.self)
        var gemm = ApusGemm(
          a: address, aStride: stride, panels: panels.address(in: piece.panelMemory),
          panelStride: panels.stride, c: result, cStride: 4 * panels.columns, rows: block.count,
          columns: piece.columns, depth: panels.groups(elements.count),
          residual: element == 0 ? nil : sums, residualStride: 0, low: 0, high: 0, rowSums: nil,
          rowScales: nil, scalesColumnsFirst: 0, lowQuantum: 0, highQuantum: 0,
          isSigned: areSigned ? 1 : 0, activation: APUS_IDENTITY)
        kernels.gemmToInteger32(&gemm)
      }
      element = elements.upperBound
    } while element < panels.depth
  }
}

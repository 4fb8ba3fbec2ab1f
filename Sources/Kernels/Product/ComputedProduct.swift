import CIntrinsics
import TensorCore

/// Products C = A × B of stacks of float32 matrices of which neither is known before they are multiplied.
///
/// Some panels of B at a time are packed into the memory of a thread and meet all rows of A while they are in its cache. A
/// result is the sum of its products in their order, block by block: no bit depends on how work is shared.
package struct ComputedProduct: Sendable {
  /// Elements from one row of A, or column of B, to the next, and along the sum. One of both is 1.
  package typealias Steps = (line: Int, depth: Int)

  /// The kernel's name in reports.
  package var name: String { "gemm float32 \(kernels.tileRows)x\(2 * kernels.lanes)" }
  /// Bytes of working memory that ``multiply(_:threads:origins:)`` needs.
  package var scratchByteCount: Int { work.scratchByteCount }
  private let work: ComputedWork
  private let staging: ComputedRows
  private let kernels: ApusFloatKernels
  private let limits: ClosedRange<Float>

  /// Elements of a row that are multiplied at once, at most.
  private static let depthOfBlock = 320

  /// The elements of a row that are multiplied together, from one on. What the blocks sum up to is added: that loses less than
  /// one long sum, and panels fit the cache. The blocks are those of OpenBLAS with AVX-512, which gives the same bits.
  private func block(from element: Int) -> Range<Int> {
    let depth = work.panels.depth
    let rest = depth - element
    guard rest > Self.depthOfBlock else { return element..<depth }
    let isLong = rest >= 2 * Self.depthOfBlock
    return element..<element + (isLong ? Self.depthOfBlock : (rest / 2 + 15) / 16 * 16)
  }

  /// - Parameters:
  ///   - matrices: how many products there are.
  ///   - limits: of results.
  ///   - threads: that may share the work.
  package init(
    matrices: Int, rows: Int, columns: Int, depth: Int, a: Steps, b: Steps,
    limits: ClosedRange<Float> = -.infinity ... .infinity, threads: Int, kernels: KernelSet
  ) {
    self.kernels = kernels.float
    self.limits = limits
    let block = min(depth, Self.depthOfBlock)
    staging = ComputedRows(rows: rows, block: block, steps: a, kernels.float)
    work = ComputedWork(
      matrices: matrices, rows: rows,
      panels: ComputedPanels(
        columns: columns, depth: depth, block: block, steps: b, ColumnSpreader(kernels.float)),
      rowBytes: staging.byteCount, tileRows: kernels.float.tileRows, threads: threads)
  }

  /// Where the matrices lie.
  package struct Operands {
    package var a: UnsafePointer<Float>
    package var b: UnsafePointer<Float>
    /// Results, row by row, one matrix after the other.
    package var c: UnsafeMutablePointer<Float>
    /// Added to each row of results before they are limited.
    package var bias: UnsafePointer<Float>?
    package var scratch: UnsafeMutableRawPointer

    package init(
      a: UnsafePointer<Float>, b: UnsafePointer<Float>, c: UnsafeMutablePointer<Float>,
      bias: UnsafePointer<Float>? = nil, scratch: UnsafeMutableRawPointer
    ) {
      (self.a, self.b, self.c, self.bias, self.scratch) = (a, b, c, bias, scratch)
    }
  }

  /// Computes all products on up to `threads` threads.
  /// - Parameter origins: the elements at which the factors of a product begin.
  package func multiply(_ operands: Operands, threads: Int, origins: (Int) -> (a: Int, b: Int)) {
    work.forEachPiece(
      threads: threads, productsPerNanosecond: 8 * kernels.lanes, in: operands.scratch
    ) { piece in
      multiply(operands, piece, origins(piece.matrix))
    }
  }

  private func multiply(_ operands: Operands, _ piece: ComputedWork.Piece, _ origins: (a: Int, b: Int)) {
    let panels = work.panels
    var element = 0
    repeat {
      let elements = block(from: element)
      let (isFirst, isLast) = (element == 0, elements.upperBound == panels.depth)
      panels.pack(
        piece.panels, operands.b + origins.b, elements, bias: isLast ? operands.bias : nil,
        to: piece.panelMemory)
      staging.forEachBlock(of: piece.rows, operands.a + origins.a, elements, in: piece.rowMemory) {
        block, address, stride in
        let result = operands.c + piece.firstResult + block.lowerBound * panels.columns
        var gemm = ApusGemm(
          a: address, aStride: stride, panels: panels.address(in: piece.panelMemory),
          panelStride: panels.stride, c: result, cStride: 4 * panels.columns, rows: block.count,
          columns: piece.columns, depth: elements.count,
          residual: isFirst ? nil : UnsafePointer(result), residualStride: 4 * panels.columns,
          low: isLast ? limits.lowerBound : -.infinity, high: isLast ? limits.upperBound : .infinity,
          rowSums: nil, rowScales: nil, scalesColumnsFirst: 0, lowQuantum: 0, highQuantum: 0, isSigned: 0,
          activation: APUS_IDENTITY)
        kernels.gemm(&gemm)
      }
      element = elements.upperBound
    } while element < panels.depth
  }
}

import CIntrinsics

// Matrix products by panels of packed columns. Every entry point computes all rows and columns that its
// arguments name; callers split the work between threads by rows or by whole panels.

@inline(never)
package func gemmFloat32(_ arguments: UnsafePointer<ApusGemm>) {
  gemm(Float32Product.self, arguments.pointee, floatEpilogue)
}

@inline(never)
package func gemmBFloat16(_ arguments: UnsafePointer<ApusGemm>) {
  gemm(BFloat16Product.self, arguments.pointee, floatEpilogue)
}

/// 8-bit A and B, 8-bit result.
@inline(never)
package func gemmInteger8(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  switch (arguments.isSigned != 0, arguments.tiesAway != 0) {
  case (true, true): gemm(Signed8Product.self, arguments, requantizingEpilogue(TiesAway.self))
  case (true, false): gemm(Signed8Product.self, arguments, requantizingEpilogue(TiesUp.self))
  case (false, true): gemm(Unsigned8Product.self, arguments, requantizingEpilogue(TiesAway.self))
  case (false, false): gemm(Unsigned8Product.self, arguments, requantizingEpilogue(TiesUp.self))
  }
}

/// 8-bit A with a scale for each row, float32 result.
@inline(never)
package func gemmInteger8ToFloat32(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  if arguments.isSigned != 0 {
    gemm(Signed8Product.self, arguments, scalingEpilogue)
  } else {
    gemm(Unsigned8Product.self, arguments, scalingEpilogue)
  }
}

@inline(__always)
private func floatEpilogue(_ g: ApusGemm, row: Int, column: Int) -> FloatEpilogue {
  FloatEpilogue(
    result: g.c + (row &* g.cStride &+ column &* 4), resultStride: g.cStride,
    residual: g.residual.map { UnsafeRawPointer($0) + (row &* g.residualStride &+ column &* 4) },
    residualStride: g.residualStride, low: FloatVector(repeating: g.low),
    high: FloatVector(repeating: g.high), columnCount: g.columns &- column)
}

@inline(__always)
private func requantizingEpilogue<T: Ties>(_: T.Type) -> (ApusGemm, Int, Int) -> RequantizingEpilogue<T> {
  { g, row, column in
    RequantizingEpilogue<T>(
      result: g.c + (row &* g.cStride &+ column), resultStride: g.cStride,
      rowSums: g.rowSums.map { $0 + row },
      low: Int32Vector(repeating: g.lowQuantum), high: Int32Vector(repeating: g.highQuantum),
      columnCount: g.columns &- column)
  }
}

@inline(__always)
private func scalingEpilogue(_ g: ApusGemm, row: Int, column: Int) -> ScalingEpilogue {
  // The caller of this epilogue always gives scales.
  let scales = g.rowScales.unsafelyUnwrapped
  return ScalingEpilogue(
    result: g.c + (row &* g.cStride &+ column &* 4), resultStride: g.cStride,
    rowZeroPoints: g.rowSums.map { $0 + row }, rowScales: scales + row,
    columnsFirst: g.scalesColumnsFirst != 0,
    residual: g.residual.map { UnsafeRawPointer($0) + (row &* g.residualStride &+ column &* 4) },
    residualStride: g.residualStride, low: FloatVector(repeating: g.low),
    high: FloatVector(repeating: g.high), columnCount: g.columns &- column)
}

/// Bytes of A that stay in the second-level cache while all panels pass over them; and, when A is larger than
/// that, those of a block of its rows.
private let residentBytes = 640 << 10
private let blockBytes = 384 << 10

/// Walks the tiles: a panel at a time when A is small enough to stay in the cache, else a block of rows at a
/// time.
@inline(__always)
private func gemm<P: InnerProduct, E: Epilogue>(
  _: P.Type, _ g: ApusGemm, _ makeEpilogue: (ApusGemm, Int, Int) -> E
) where E.Accumulator == P.Accumulator {
  let width = 2 &* lanes
  var rowBlock = g.rows
  if g.rows &* g.depth &* 4 > residentBytes {
    rowBlock = max(2, blockBytes / max(g.depth &* 4, 1) / tileRows) &* tileRows
  }
  var firstRow = 0
  while firstRow < g.rows {
    let rows = min(rowBlock, g.rows &- firstRow)
    var column = 0
    var panel = g.panels
    while column < g.columns {
      if g.columns &- column > lanes {
        panelRows(P.self, Width2.self, g, firstRow, rows, column, panel, makeEpilogue)
      } else {
        panelRows(P.self, Width1.self, g, firstRow, rows, column, panel, makeEpilogue)
      }
      column &+= width
      panel += g.panelStride
    }
    firstRow &+= rows
  }
}

/// All rows of one panel, in tiles of falling height.
@inline(__always)
private func panelRows<P: InnerProduct, W: TileWidth, E: Epilogue>(
  _: P.Type, _: W.Type, _ g: ApusGemm, _ firstRow: Int, _ rows: Int, _ column: Int,
  _ panel: UnsafeRawPointer, _ makeEpilogue: (ApusGemm, Int, Int) -> E
) where E.Accumulator == P.Accumulator {
  var row = firstRow
  let end = firstRow &+ rows
  // The next panel comes from memory while this one is multiplied, a part with each tile.
  var ahead = panel + g.panelStride
  let aheadEnd = ahead + g.panelStride
  @inline(__always)
  func tiles<H: TileHeight>(_: H.Type) {
    while end &- row >= H.rows {
      microKernel(
        P.self, H.self, W.self, makeEpilogue(g, row, column), depth: g.depth, a: g.a + row &* g.aStride,
        aStride: g.aStride, panel: panel, ahead: ahead)
      if ahead < aheadEnd { ahead += 64 &* g.depth }
      if g.activation != APUS_IDENTITY {
        activateTile(
          g.activation, g.c + (row &* g.cStride &+ column &* 4), stride: g.cStride, rows: H.rows,
          columns: min(W.vectors &* lanes, g.columns &- column))
      }
      row &+= H.rows
    }
  }
  #if ISA_AVX512
    tiles(Height12.self)
    tiles(Height8.self)
  #else
    tiles(Height6.self)
  #endif
  tiles(Height4.self)
  tiles(Height2.self)
  tiles(Height1.self)
}

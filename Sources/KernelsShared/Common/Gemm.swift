import CIntrinsics

// Matrix products by panels of packed columns. Every product computes all rows and columns that its arguments
// name; callers split the work between threads by rows or by whole panels.

/// Bytes of A that stay in the second-level cache while all panels pass over them; and, when A is larger than
/// that, those of a block of its rows.
private let residentBytes = 640 << 10
private let blockBytes = 384 << 10

/// One panel of columns and the rows of A that meet it.
struct PanelBlock {
  var firstRow: Int
  var rows: Int
  let column: Int
  var panel: UnsafeRawPointer
  /// How many vectors of columns the panel holds, 1 or 2.
  let vectors: Int
}

/// Calls `body` for each panel with all rows when A is small enough to stay in the cache, else with a block of rows
/// at a time.
@inline(__always)
func forEachPanel(_ g: ApusGemm, _ body: (PanelBlock) -> Void) {
  var rowBlock = g.rows
  let rowBytes = max(g.aStride, g.depth &* 4)
  if g.rows &* rowBytes > residentBytes {
    rowBlock = max(2, blockBytes / max(rowBytes, 1) / tileRows) &* tileRows
  }
  var firstRow = 0
  while firstRow < g.rows {
    let rows = min(rowBlock, g.rows &- firstRow)
    var column = 0
    var panel = g.panels
    while column < g.columns {
      body(
        PanelBlock(
          firstRow: firstRow, rows: rows, column: column, panel: panel,
          vectors: g.columns &- column > lanes ? 2 : 1))
      column &+= 2 &* lanes
      panel += g.panelStride
    }
    firstRow &+= rows
  }
}

/// All panels, their sums finished in one way.
@inline(__always)
func gemm<P: PanelProduct, E: Epilogue>(
  _: P.Type, _ g: ApusGemm, _ makeEpilogue: (ApusGemm, Int, Int) -> E
) where E.Accumulator == P.Accumulator {
  forEachPanel(g) { panelRows(P.self, g, $0, makeEpilogue) }
}

/// All rows that meet one panel.
@inline(__always)
func panelRows<P: PanelProduct, E: Epilogue>(
  _: P.Type, _ g: ApusGemm, _ block: PanelBlock, _ makeEpilogue: (ApusGemm, Int, Int) -> E
) where E.Accumulator == P.Accumulator {
  if block.vectors == 2 {
    panelTiles(P.self, Width2.self, g, block, makeEpilogue)
  } else {
    panelTiles(P.self, Width1.self, g, block, makeEpilogue)
  }
}

/// The rows in tiles of falling height.
@inline(__always)
private func panelTiles<P: PanelProduct, W: TileWidth, E: Epilogue>(
  _: P.Type, _: W.Type, _ g: ApusGemm, _ block: PanelBlock, _ makeEpilogue: (ApusGemm, Int, Int) -> E
) where E.Accumulator == P.Accumulator {
  let (column, panel) = (block.column, block.panel)
  var row = block.firstRow
  let end = block.firstRow &+ block.rows
  // The next panel comes from memory while this one is multiplied, a part with each tile.
  var ahead = panel + g.panelStride
  let aheadEnd = ahead + g.panelStride
  #if arch(arm64)
    let start = completedStart(P.self, W.self, makeEpilogue(g, row, column), panel, depth: g.depth)
  #endif
  @inline(__always)
  func tiles<H: TileHeight>(_: H.Type) {
    while end &- row >= H.rows {
      #if arch(arm64)
        let epilogue = CompletedEpilogue(start: start, rest: makeEpilogue(g, row, column))
      #else
        let epilogue = makeEpilogue(g, row, column)
      #endif
      microKernel(
        P.self, H.self, W.self, epilogue, depth: g.depth, a: g.a + row &* g.aStride, aStride: g.aStride,
        panel: panel, ahead: ahead)
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
  #elseif arch(arm64)
    tiles(Height8.self)
  #else
    tiles(Height6.self)
  #endif
  tiles(Height4.self)
  tiles(Height2.self)
  tiles(Height1.self)
}

@inline(__always)
func floatEpilogue(_ g: ApusGemm, row: Int, column: Int) -> FloatEpilogue {
  FloatEpilogue(
    result: g.c + (row &* g.cStride &+ column &* 4), resultStride: g.cStride,
    residual: g.residual.map { UnsafeRawPointer($0) + (row &* g.residualStride &+ column &* 4) },
    residualStride: g.residualStride, low: FloatVector(repeating: g.low),
    high: FloatVector(repeating: g.high), columnCount: g.columns &- column)
}

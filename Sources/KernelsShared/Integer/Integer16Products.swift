import CIntrinsics

/// Groups of depth whose products int32 holds, whatever the operands are: two products of a group are at most 2 × 2¹⁵ × 2⁷
/// in magnitude, and 255 × 2²³ < 2³¹.
private let exactGroups = 255

/// int16 A, 8-bit B widened to 16 bits, int16 result. Sums are exact: those of a block of depth in 32 bits, those of the
/// blocks in 64.
@inline(never)
func gemmInteger16(_ arguments: UnsafePointer<ApusGemm>) {
  let g = arguments.pointee
  // For each row of a tile two vectors of columns.
  withUnsafeTemporaryAllocation(
    byteCount: tileRows &* 2 &* wideVectorBytes, alignment: vectorBytes
  ) { memory in
    guard let sums = memory.baseAddress else { return }
    forEachPanel(g) { block in
      let end = block.firstRow &+ block.rows
      var tile = block
      while tile.firstRow < end {
        tile.rows = min(tileRows, end &- tile.firstRow)
        sums.initializeMemory(as: UInt8.self, repeating: 0, count: memory.count)
        addProducts(g, tile, to: sums)
        storeResults(g, tile, sums)
        tile.firstRow &+= tile.rows
      }
    }
  }
}

/// Adds up a tile's products, one block of depth after the other.
@inline(__always)
private func addProducts(_ g: ApusGemm, _ tile: PanelBlock, to sums: UnsafeMutableRawPointer) {
  var done = 0
  while done < g.depth {
    var part = g
    part.a += 4 &* done
    part.depth = min(exactGroups, g.depth &- done)
    // What precedes the panel's part is taken for a header, which nobody reads.
    var panel = tile
    panel.panel += done &* tile.vectors &* vectorBytes
    panelRows(Integer16Product.self, part, panel) { _, row, _ in
      AddingEpilogue(sums: sums, firstRow: row &- tile.firstRow)
    }
    done &+= part.depth
  }
}

/// Scales the sums of a tile by the table that follows the panel's weights.
@inline(__always)
private func storeResults(_ g: ApusGemm, _ tile: PanelBlock, _ sums: UnsafeMutableRawPointer) {
  let table = tile.panel + (1 &+ g.depth) &* tile.vectors &* vectorBytes
  for vector in 0..<tile.vectors {
    let column = tile.column &+ vector &* lanes
    storeScaled(
      sums + vector &* wideVectorBytes, stride: 2 &* wideVectorBytes, rows: tile.rows,
      table: table + vector &* wideScalingTableBytes,
      QuantumRange(low: g.lowQuantum, high: g.highQuantum),
      to: g.c + (tile.firstRow &* g.cStride &+ column &* 2), resultStride: g.cStride, g.columns &- column)
  }
}

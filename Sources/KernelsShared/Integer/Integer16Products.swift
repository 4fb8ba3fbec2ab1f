import CIntrinsics

/// Groups of depth whose products int32 holds, whatever the operands are: two products of a group are at most 2 × 2¹⁵ × 2⁷
/// in magnitude, and 255 × 2²³ < 2³¹.
private let exactGroups = 255

/// int16 A, 8-bit B widened to 16 bits, int16 result. Sums are exact: those of a block of depth in 32 bits, those of the
/// blocks in 64.
@inline(never)
func gemmInteger16(_ arguments: UnsafePointer<ApusGemm>) {
  let g = arguments.pointee
  let zero = WideVector(widening: Int32Vector(repeating: 0))
  // On the stack, for a tile.
  var sums = Tile(repeating: (zero, zero))
  withUnsafeMutableBytes(of: &sums) { memory in
    guard let base = memory.baseAddress else { return }
    forEachPanel(g) { block in
      let end = block.firstRow &+ block.rows
      let height = g.depth > exactGroups ? tileRows : block.rows
      var part = block
      while part.firstRow < end {
        part.rows = min(height, end &- part.firstRow)
        wholeDepth(g, part, EarlierSums(memory: base))
        part.firstRow &+= part.rows
      }
    }
  }
}

/// Some rows that meet a panel, at most a tile of them where the depth is more than one block.
@inline(__always)
private func wholeDepth(_ g: ApusGemm, _ block: PanelBlock, _ earlier: EarlierSums) {
  var done = 0
  while g.depth &- done > exactGroups {
    let isFirst = done == 0
    panelRows(Integer16Product.self, part(g, from: done, count: exactGroups), panel(block, from: done)) {
      _, row, _ in
      AddingEpilogue(earlier: earlier, isFirst: isFirst, firstRow: row &- block.firstRow)
    }
    done &+= exactGroups
  }
  lastBlock(g, block, groups: done, earlier: done > 0 ? earlier : nil)
}

/// What is left of the depth after some groups, and the results.
@inline(__always)
private func lastBlock(_ g: ApusGemm, _ block: PanelBlock, groups: Int, earlier: EarlierSums?) {
  panelRows(
    Integer16Product.self, part(g, from: groups, count: g.depth &- groups), panel(block, from: groups)
  ) {
    g, row, column in
    WideScalingEpilogue(
      result: g.c + (row &* g.cStride &+ column &* 2), resultStride: g.cStride, earlier: earlier,
      firstRow: row &- block.firstRow, range: QuantumRange(low: g.lowQuantum, high: g.highQuantum),
      columnCount: g.columns &- column)
  }
}

/// The product of some groups of the depth.
@inline(__always)
private func part(_ g: ApusGemm, from group: Int, count: Int) -> ApusGemm {
  var part = g
  part.a += 4 &* group
  part.depth = count
  return part
}

/// The panel from a group on; what precedes that is taken for a header, which nobody reads.
@inline(__always)
private func panel(_ block: PanelBlock, from group: Int) -> PanelBlock {
  var part = block
  part.panel += group &* block.vectors &* vectorBytes
  return part
}

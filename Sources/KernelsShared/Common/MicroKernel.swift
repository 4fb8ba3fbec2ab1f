import CIntrinsics

/// One block of C = A × B: `H.rows` rows, `W.vectors` vectors of columns, the whole depth, then the epilogue.
///
/// A panel is: a header of one 4-byte starting value a column, then for each step of depth one group of
/// 4 bytes a column, or groups of as many as the product takes at once, then the epilogue's own table.
/// - Parameters:
///   - ahead: what is wanted in the second-level cache next: a cache line for every step of depth.
@inline(__always)
func microKernel<P: PanelProduct, H: TileHeight, W: TileWidth, E: Epilogue>(
  _: P.Type, _: H.Type, _: W.Type, _ epilogue: E, depth: Int, a: UnsafeRawPointer, aStride: Int,
  panel: UnsafeRawPointer, ahead: UnsafeRawPointer
) where E.Accumulator == P.Accumulator {
  let start = epilogue.start(panel, vector: 0)
  var tile = Tile(repeating: (start, W.vectors == 2 ? epilogue.start(panel, vector: 1) : start))
  let step = W.vectors &* vectorBytes
  var columns = panel + step
  #if arch(arm64)
    tile.multiply(
      P.self, H.self, W.self, depth: depth, a: a, aStride: aStride, columns: columns, ahead: ahead)
    columns += depth &* step
  #else
    var a = a
    var ahead = ahead
    var remaining = depth &* (4 / P.columnBytes)
    let stepBytes = W.vectors &* lanes &* P.columnBytes
    while remaining > 0 {
      let b0 = P.columns(columns)
      let b1 = W.vectors == 2 ? P.columns(columns + lanes &* P.columnBytes) : b0
      tile.forEachRow(H.self) { row, sum in
        let value = P.broadcast(a + row &* aStride)
        sum.0 = P.accumulate(sum.0, value, b0)
        if W.vectors == 2 { sum.1 = P.accumulate(sum.1, value, b1) }
      }
      apus_prefetch(ahead)
      ahead += 16 &* P.columnBytes
      columns += stepBytes
      a += 4
      remaining &-= 1
    }
  #endif
  tile.finish(H.self, W.self, epilogue, header: panel, table: columns)
}

extension Tile {
  /// Finishes and stores the sums, one vector of columns at a time, so that its table stays in registers over the rows.
  @inline(__always)
  mutating func finish<H: TileHeight, W: TileWidth, E: Epilogue>(
    _: H.Type, _: W.Type, _ epilogue: E, header: UnsafeRawPointer, table: UnsafeRawPointer
  ) where E.Accumulator == Accumulator {
    var first = epilogue.columns(header, table, vector: 0)
    forEachRow(H.self) { row, sum in epilogue.store(sum.0, row: row, vector: 0, &first) }
    var isInDoubt = epilogue.isInDoubt(first)
    if W.vectors == 2 {
      var second = epilogue.columns(header, table, vector: 1)
      forEachRow(H.self) { row, sum in epilogue.store(sum.1, row: row, vector: 1, &second) }
      isInDoubt = isInDoubt || epilogue.isInDoubt(second)
    }
    if _slowPath(isInDoubt) {
      // A copy, because what somebody has the address of does not stay in registers.
      let sums = self
      withUnsafePointer(to: sums) {
        epilogue.storeAgain($0, rows: H.rows, vectors: W.vectors, table: table)
      }
    }
  }
}

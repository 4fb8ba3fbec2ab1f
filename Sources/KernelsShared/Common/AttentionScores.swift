import CIntrinsics

/// The scores of a panel of queries for the keys of a block: a row for each key, a lane for each query.
///
/// Keys are the rows, so that they are read in place, and the greatest score of each query and its sum of
/// weights are found lane by lane.
struct AttentionScores<F: AttentionFormat, W: TileWidth>: TileVisitor {
  /// Packed queries.
  let queries: UnsafeRawPointer
  /// Groups of columns.
  let groups: Int
  let keys: UnsafeRawPointer
  let keyStride: Int
  let scores: UnsafeMutableRawPointer
  /// The greatest score of each query, kept up to date.
  let greatest: UnsafeMutableRawPointer
  /// The first query sees keys 0…`lastSeen` of the block, the next one more; `Int.max` when all are seen.
  let lastSeen: Int
  /// What is added to the scores, laid out like them; nil for nothing.
  let mask: UnsafeRawPointer?

  @inline(__always)
  func visit<H: TileHeight>(_: H.Type, row: Int) {
    let step = W.vectors &* vectorBytes
    var tile = Tile<FloatVector>()
    tile.accumulate(
      F.Product.self, H.self, W.self, steps: groups, a: keys + row &* keyStride, aStep: 4,
      aStride: keyStride, b: queries, bStep: step)
    if let mask { add(mask + row &* step, to: &tile, H.self) }
    if row &+ H.rows &- 1 > lastSeen { hide(&tile, H.self, row: row) }
    let target = scores + row &* step
    var greatest0: FloatVector = UnsafeRawPointer(greatest).vector()
    var greatest1: FloatVector = UnsafeRawPointer(greatest).vector(W.vectors == 2 ? vectorBytes : 0)
    tile.forEachRow(H.self) { row, score in
      target.storeBytes(of: score.0, toByteOffset: row &* step, as: FloatVector.self)
      greatest0 = apus_greater_f32(score.0, greatest0)
      if W.vectors == 2 {
        target.storeBytes(of: score.1, toByteOffset: row &* step &+ vectorBytes, as: FloatVector.self)
        greatest1 = apus_greater_f32(score.1, greatest1)
      }
    }
    greatest.storeBytes(of: greatest0, as: FloatVector.self)
    if W.vectors == 2 { greatest.storeBytes(of: greatest1, toByteOffset: vectorBytes, as: FloatVector.self) }
  }

  @inline(__always)
  private func add<H: TileHeight>(_ mask: UnsafeRawPointer, to tile: inout Tile<FloatVector>, _: H.Type) {
    tile.forEachRow(H.self) { row, score in
      let place = row &* W.vectors &* vectorBytes
      score.0 = score.0 + mask.vector(place, as: FloatVector.self)
      if W.vectors == 2 { score.1 = score.1 + mask.vector(place &+ vectorBytes, as: FloatVector.self) }
    }
  }

  /// Gives keys that a query must not see the least score.
  @inline(__always)
  private func hide<H: TileHeight>(_ tile: inout Tile<FloatVector>, _: H.Type, row: Int) {
    let first = Int32(truncatingIfNeeded: lastSeen &- row)
    let last0 = apus_count_from(first)
    let last1 = apus_count_from(first &+ Int32(truncatingIfNeeded: lanes))
    tile.forEachRow(H.self) { row, score in
      score.0 = apus_hide_beyond(score.0, last0, Int32(truncatingIfNeeded: row))
      if W.vectors == 2 { score.1 = apus_hide_beyond(score.1, last1, Int32(truncatingIfNeeded: row)) }
    }
  }
}

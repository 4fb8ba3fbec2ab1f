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

  @inline(__always)
  func visit<H: TileHeight>(_: H.Type, row: Int) {
    let step = W.vectors &* vectorBytes
    var tile = Tile<FloatVector>()
    tile.accumulate(
      F.Product.self, H.self, W.self, steps: groups, a: keys + row &* keyStride, aStep: 4,
      aStride: keyStride, b: queries, bStep: step)
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

/// What is known of the queries of a panel after some blocks of keys.
struct AttentionState {
  private let base: UnsafeMutableRawPointer
  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// The greatest scores before the block in work, and with it.
  @inline(__always) var earlier: UnsafeMutableRawPointer { base }
  @inline(__always) var greatest: UnsafeMutableRawPointer { base + 2 &* vectorBytes }
  /// Sums of the weights; after the last block their reciprocals.
  @inline(__always) var sums: UnsafeMutableRawPointer { base + 4 &* vectorBytes }
  /// What results of earlier blocks are multiplied by.
  @inline(__always) var factors: UnsafeMutableRawPointer { base + 6 &* vectorBytes }

  @inline(__always)
  func reset() {
    let least = FloatVector(repeating: -.infinity)
    for vector in 0..<2 {
      earlier.storeBytes(of: least, toByteOffset: vector &* vectorBytes, as: FloatVector.self)
      greatest.storeBytes(of: least, toByteOffset: vector &* vectorBytes, as: FloatVector.self)
      sums.storeBytes(
        of: FloatVector(repeating: 0), toByteOffset: vector &* vectorBytes, as: FloatVector.self)
    }
  }

  /// Turns the scores of a block into weights, 2^(score − greatest), and adds them up.
  /// - Parameter isLast: whether no other block follows.
  @inline(__always)
  func weigh<F: AttentionFormat, W: TileWidth>(
    _: F.Type, _: W.Type, _ scores: UnsafeMutableRawPointer, keys: Int, isLast: Bool
  ) {
    let step = W.vectors &* vectorBytes
    for vector in 0..<W.vectors {
      let place = vector &* vectorBytes
      let greatest: FloatVector = UnsafeRawPointer(greatest).vector(place)
      let factor = vectorExp2(UnsafeRawPointer(earlier).vector(place, as: FloatVector.self) - greatest)
      var sum = UnsafeRawPointer(sums).vector(place, as: FloatVector.self) * factor
      var source = UnsafeRawPointer(scores) + place
      var target = scores + place
      var key = 0
      while key < keys {
        let first = vectorExp2(source.vector(as: FloatVector.self) - greatest)
        sum = sum + first
        var second = FloatVector(repeating: 0)
        if F.elements == 2, key &+ 1 < keys {
          second = vectorExp2(source.vector(step, as: FloatVector.self) - greatest)
          sum = sum + second
        }
        target.storeBytes(of: F.interleave(first, second), as: Int32Vector.self)
        source += F.elements &* step
        target += step
        key &+= F.elements
      }
      if isLast { sum = FloatVector(repeating: 1) / sum }
      sums.storeBytes(of: sum, toByteOffset: place, as: FloatVector.self)
      factors.storeBytes(of: factor, toByteOffset: place, as: FloatVector.self)
      earlier.storeBytes(of: greatest, toByteOffset: place, as: FloatVector.self)
    }
  }
}

import CIntrinsics

/// The weighted sums of values for the queries of a panel, some columns of them.
struct AttentionResults<F: AttentionFormat, W: TileWidth>: TileVisitor {
  /// A row for each group of keys, of `weightStride` bytes; 4 bytes for each query.
  let weights: UnsafeRawPointer
  let weightStride: Int
  let values: UnsafeRawPointer
  let valueStride: Int
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  /// Columns that exist from here on.
  let columns: Int
  /// Keys of the block, and the last one that the first query sees, as for ``AttentionScores``.
  let keys: Int
  let lastSeen: Int
  let state: AttentionState
  let isFirst: Bool
  let isLast: Bool

  @inline(__always)
  func visit<H: TileHeight>(_: H.Type, row: Int) {
    // Keys that no query of the tile sees have weight 0; the rest of them is left out.
    let seen = lastSeen >= keys ? keys : min(keys, max(0, lastSeen &+ row &+ H.rows))
    var tile = Tile<FloatVector>()
    tile.accumulate(
      F.Product.self, H.self, W.self, steps: (seen &+ F.elements &- 1) / F.elements, a: weights + row &* 4,
      aStep: weightStride, aStride: 4, b: values, bStep: valueStride)
    let target = result + row &* resultStride
    let factors = UnsafeRawPointer(state.factors) + row &* 4
    let reciprocals = UnsafeRawPointer(state.sums) + row &* 4
    tile.forEachRow(H.self) { row, sum in
      let factor = FloatVector(repeating: factors.load(fromByteOffset: row &* 4, as: Float.self))
      let reciprocal = FloatVector(repeating: reciprocals.load(fromByteOffset: row &* 4, as: Float.self))
      store(sum.0, target + row &* resultStride, columns, factor, reciprocal)
      if W.vectors == 2 {
        store(sum.1, target + (row &* resultStride &+ vectorBytes), columns &- lanes, factor, reciprocal)
      }
    }
  }

  @inline(__always)
  private func store(
    _ sum: FloatVector, _ address: UnsafeMutableRawPointer, _ valid: Int, _ factor: FloatVector,
    _ reciprocal: FloatVector
  ) {
    var sum = sum
    if !isFirst { sum = apus_fma(sum, loadFloats(address, valid), factor) }
    if isLast { sum = sum * reciprocal }
    if valid >= lanes {
      address.storeBytes(of: sum, as: FloatVector.self)
    } else if valid > 0 {
      apus_store_part_f32(address, sum, valid)
    }
  }
}

import CIntrinsics

// Attention without a matrix of scores: blocks of keys pass by the queries, which remember the greatest score
// so far and the sum of weights relative to it (Dao et al. 2022, "FlashAttention"). A query's result depends
// on nothing but its own row and the keys and values that it sees, whatever is computed beside it.

/// Some keys of a segment and their values, as the products want them.
private struct KeyBlock {
  let first: Int
  let count: Int
  let keys: UnsafeRawPointer
  let keyStride: Int
  let values: UnsafeRawPointer
  let valueStride: Int
}

@inline(__always)
func attention<F: AttentionFormat>(_: F.Type, _ call: ApusAttention) {
  let scratch = AttentionScratch(call.scratch, queryCount: call.queryCount, headWidth: call.headWidth)
  forEachPanel(call.queryCount) { panel, count in
    if count > lanes {
      packPanel(F.self, Width2.self, call, scratch, panel, count)
    } else {
      packPanel(F.self, Width1.self, call, scratch, panel, count)
    }
  }
  // Blocks of about the same size, an even number of keys in each but the last.
  let blocks = (call.keyCount &+ attentionKeyBlock &- 1) / attentionKeyBlock
  let blockSize = (((call.keyCount &+ blocks &- 1) / blocks) &+ 1) & ~1
  let seen = call.isCausal != 0 ? min(call.keyCount, call.firstQuery &+ call.queryCount) : call.keyCount
  var first = 0
  while first < seen {
    let block = keyBlock(F.self, call, scratch, first, min(blockSize, call.keyCount &- first))
    forEachPanel(call.queryCount) { panel, count in
      if count > lanes {
        attend(F.self, Width2.self, call, scratch, block, panel, count)
      } else {
        attend(F.self, Width1.self, call, scratch, block, panel, count)
      }
    }
    first &+= blockSize
  }
}

/// Calls `body` with the number of each panel and how many queries it has.
@inline(__always)
private func forEachPanel(_ queries: Int, _ body: (Int, Int) -> Void) {
  var panel = 0
  var first = 0
  while first < queries {
    body(panel, min(queries &- first, 2 &* lanes))
    panel &+= 1
    first &+= 2 &* lanes
  }
}

@inline(__always)
private func packPanel<F: AttentionFormat, W: TileWidth>(
  _: F.Type, _: W.Type, _ call: ApusAttention, _ scratch: AttentionScratch, _ panel: Int, _ count: Int
) {
  // Weights are powers of 2 rather than e.
  let factor = FloatVector(repeating: call.scale * 1.442695)
  F.packQueries(
    W.self, call.queries + panel &* 2 &* lanes &* call.queryStride, stride: call.queryStride, count: count,
    width: call.headWidth, square: scratch.square, panel: scratch.queries + panel &* scratch.panelStride
  ) { $0 * factor }
  AttentionState(scratch.state + panel &* AttentionScratch.stateBytes).reset()
}

@inline(__always)
private func keyBlock<F: AttentionFormat>(
  _: F.Type, _ call: ApusAttention, _ scratch: AttentionScratch, _ first: Int, _ count: Int
) -> KeyBlock {
  let keys = call.keys + first &* call.keyStride
  let values = call.values + first &* call.valueStride
  // Only float32 rows can be read where they are; those of the values in full vectors alone. It pays when
  // there is one block, so that each is read by a few panels.
  let readsInPlace = F.elements == 1 && call.keyCount <= attentionKeyBlock
  let readsValuesInPlace = readsInPlace && call.headWidth % lanes == 0
  if !readsInPlace {
    F.packRows(
      keys, stride: call.keyStride, count: count, width: call.headWidth, to: scratch.keys,
      targetStride: scratch.rowStride)
  }
  if !readsValuesInPlace {
    F.packInterleaved(
      values, stride: call.valueStride, count: count, width: call.headWidth, to: scratch.values,
      targetStride: scratch.rowStride)
  }
  return KeyBlock(
    first: first, count: count, keys: readsInPlace ? keys : UnsafeRawPointer(scratch.keys),
    keyStride: readsInPlace ? call.keyStride : scratch.rowStride,
    values: readsValuesInPlace ? values : UnsafeRawPointer(scratch.values),
    valueStride: readsValuesInPlace ? call.valueStride : scratch.rowStride)
}

/// One panel of queries and one block of keys.
@inline(__always)
private func attend<F: AttentionFormat, W: TileWidth>(
  _: F.Type, _: W.Type, _ call: ApusAttention, _ scratch: AttentionScratch, _ block: KeyBlock, _ panel: Int,
  _ queries: Int
) {
  let firstQuery = panel &* 2 &* lanes
  let lastSeen = call.isCausal != 0 ? call.firstQuery &+ firstQuery &- block.first : Int.max
  // Keys that some query of the panel sees.
  let seen = lastSeen >= block.count ? block.count : min(block.count, lastSeen &+ queries)
  guard seen > 0 else { return }
  let end = block.first &+ block.count
  let isLast = end >= call.keyCount || call.isCausal != 0 && lastSeen &+ queries <= block.count
  let state = AttentionState(scratch.state + panel &* AttentionScratch.stateBytes)
  var mask: UnsafeRawPointer?
  if let rows = call.mask {
    packMask(
      W.self, UnsafeRawPointer(rows) + (firstQuery &* call.maskStride &+ block.first &* 4),
      stride: call.maskStride, queries: queries, keys: seen, square: scratch.square, to: scratch.mask)
    mask = UnsafeRawPointer(scratch.mask)
  }
  forEachTile(
    rows: seen,
    AttentionScores<F, W>(
      queries: UnsafeRawPointer(scratch.queries + panel &* scratch.panelStride),
      groups: (call.headWidth &+ F.elements &- 1) / F.elements, keys: block.keys, keyStride: block.keyStride,
      scores: scratch.scores, greatest: state.greatest, lastSeen: lastSeen, mask: mask))
  state.weigh(
    F.self, W.self, scratch.scores, keys: seen, isLast: isLast, zeroesHidden: call.zeroesHidden != 0)
  var column = 0
  while column < call.headWidth {
    if call.headWidth &- column > lanes {
      forEachTile(
        rows: queries, results(F.self, Width2.self, W.self))
    } else {
      forEachTile(
        rows: queries, results(F.self, Width1.self, W.self))
    }
    column &+= 2 &* lanes
  }
  @inline(__always)
  func results<C: TileWidth>(_: F.Type, _: C.Type, _: W.Type) -> AttentionResults<F, C> {
    AttentionResults<F, C>(
      weights: UnsafeRawPointer(scratch.scores), weightStride: W.vectors &* vectorBytes,
      values: block.values + column &* 4, valueStride: block.valueStride,
      result: call.result + (firstQuery &* call.resultStride &+ column &* 4),
      resultStride: call.resultStride, columns: call.headWidth &- column, keys: seen, lastSeen: lastSeen,
      state: state, isFirst: block.first == 0, isLast: isLast)
  }
}

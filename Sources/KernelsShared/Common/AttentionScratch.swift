import CIntrinsics

/// Keys whose scores are computed together, at most: those for a panel of queries stay in the cache.
let attentionKeyBlock = 256

/// The parts of attention's working memory.
struct AttentionScratch {
  /// Bytes from one panel of packed queries to the next.
  let panelStride: Int
  /// Bytes of the rows of packed keys and values.
  let rowStride: Int
  private let base: UnsafeMutableRawPointer
  private let panels: Int

  init(_ base: UnsafeMutableRawPointer, queryCount: Int, headWidth: Int) {
    self.base = base
    let paddedWidth = (headWidth &+ lanes &- 1) / lanes &* lanes
    panelStride = paddedWidth &* 2 &* vectorBytes
    rowStride = paddedWidth &* 4
    panels = (queryCount &+ 2 &* lanes &- 1) / (2 &* lanes)
  }

  /// Six vectors for each panel: the queries' greatest scores so far, and with the block in work; sums of
  /// weights; factors that bring earlier results to the new greatest score.
  @inline(__always) static var stateBytes: Int { 8 &* vectorBytes }

  /// Packed queries, panel by panel.
  @inline(__always) var queries: UnsafeMutableRawPointer { base }
  /// The state of the queries, panel by panel.
  @inline(__always) var state: UnsafeMutableRawPointer { queries + panels &* panelStride }
  /// As many vectors as they have lanes, to be transposed.
  @inline(__always) var square: UnsafeMutableRawPointer { state + panels &* Self.stateBytes }
  /// Scores of one panel: a row for each key of a block, then their weights in the same place.
  @inline(__always) var scores: UnsafeMutableRawPointer { square + lanes &* vectorBytes }
  /// Packed keys and values of a block.
  @inline(__always) var keys: UnsafeMutableRawPointer { scores + attentionKeyBlock &* 2 &* vectorBytes }
  @inline(__always) var values: UnsafeMutableRawPointer { keys + attentionKeyBlock &* rowStride }
  /// What is added to the scores of one panel, in their places.
  @inline(__always) var mask: UnsafeMutableRawPointer { values + attentionKeyBlock &* rowStride }
  @inline(__always) var end: UnsafeMutableRawPointer { mask + attentionKeyBlock &* 2 &* vectorBytes }
}

/// Bytes of working memory for calls of at most so many queries.
/// - Parameter headWidth: at most 2⁴⁸.
@inline(never)
func attentionScratchByteCount(queryCount: Int, headWidth: Int) -> Int {
  // Any address serves for the difference of two.
  let base = UnsafeMutableRawPointer(bitPattern: 64).unsafelyUnwrapped
  return AttentionScratch(base, queryCount: queryCount, headWidth: headWidth).end - base
}

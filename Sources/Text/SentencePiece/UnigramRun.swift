/// The cut of a text that comes part by part. A segment is given once all ways that the best cut may take have it in common,
/// so that no more of a text is kept than its best cuts differ in.
struct UnigramRun {
  private let segmenter: UnigramSegmenter
  private let longestPiece: Int
  /// The text behind the last segment that was given, and the best step to each of its offsets.
  private var text: [UInt8] = []
  private var steps = [UnigramSegmenter.Step(sum: 0, id: UnigramSegmenter.Step.unreached)]
  /// Where the next piece may start.
  private var next = 0
  /// The bytes with which a common segment is looked for again.
  private var worthwhile = 0

  init(_ segmenter: UnigramSegmenter) {
    self.segmenter = segmenter
    longestPiece = segmenter.longestPiece
  }

  /// Takes in a part of whole characters, and calls `body` with the id and the text of each segment that is known by now.
  mutating func append(
    _ part: ArraySlice<UInt8>, isLast: Bool, _ body: (Int32, ArraySlice<UInt8>) -> Void
  ) {
    text += part
    let unreached = UnigramSegmenter.Step(sum: 0, id: UnigramSegmenter.Step.unreached)
    steps += repeatElement(unreached, count: text.count + 1 - steps.count)
    findBestSteps(before: isLast ? text.count : text.count - longestPiece)
    guard isLast || text.count >= worthwhile else { return }
    let end = isLast ? text.count : commonEnd()
    worthwhile = end > 0 ? 0 : 2 * text.count
    give(end, body)
  }

  private mutating func findBestSteps(before limit: Int) {
    // By itself, since the run is not open to two changes at once.
    var found: [UnigramSegmenter.Step] = []
    swap(&found, &steps)
    var all = found.mutableSpan
    next = segmenter.findBestSteps(through: text.span, from: next, before: limit, &all)
    swap(&found, &steps)
  }

  /// The last offset that all cuts have in common which the best one may go on from.
  private func commonEnd() -> Int {
    var ends = Set((next...text.count).filter { steps[$0].id != UnigramSegmenter.Step.unreached })
    while ends.count > 1, let last = ends.max() {
      ends.remove(last)
      ends.insert(segmenter.start(of: steps[last].id, before: last, in: text.span))
    }
    return ends.first ?? 0
  }

  private mutating func give(_ end: Int, _ body: (Int32, ArraySlice<UInt8>) -> Void) {
    var segments: [(id: Int32, start: Int)] = []
    var start = end
    while start > 0 {
      let id = steps[start].id
      start = segmenter.start(of: id, before: start, in: text.span)
      segments.append((id, start))
    }
    for (index, segment) in segments.enumerated().reversed() {
      body(segment.id, text[segment.start..<(index > 0 ? segments[index - 1].start : end)])
    }
    text.removeFirst(end)
    steps.removeFirst(end)
    next -= end
  }
}

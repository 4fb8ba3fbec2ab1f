/// A long stretch of text between two added tokens on its way to ids: it goes through the steps in parts, which are cut where
/// no step sees the cut, and has the ids that it has as a whole.
struct LongStretch {
  private let pipeline: Pipeline
  private let steps: [any TextNormalizer]
  /// What waits before each step, before the search for tokens, and before the cut into words.
  private var normalizing: [WaitingText]
  private var matching: WaitingText
  private var cutting: WaitingText
  /// The word that what waits before the cut begins with, where the model has some of it.
  private var word: OpenWord?
  private let startsAtOrigin: Bool

  init(_ pipeline: Pipeline, startsAtOrigin: Bool) {
    self.pipeline = pipeline
    self.startsAtOrigin = startsAtOrigin
    steps = pipeline.normalizer?.steps ?? []
    matching = WaitingText(startsAtOrigin: startsAtOrigin)
    cutting = matching
    normalizing = steps.map { _ in WaitingText(startsAtOrigin: startsAtOrigin) }
  }

  /// Appends the ids of a stretch of a text.
  mutating func appendIDs(of text: ArraySlice<UInt8>, to list: inout TokenList) {
    text.forEachPart(of: pipeline.partLength) { part, isLast in
      let isFirst = part.startIndex == text.startIndex
      normalize(
        NormalizedText(bytes: Array(part), startsAtOrigin: startsAtOrigin && isFirst), step: 0,
        isLast: isLast, &list)
      list.trim()
      return !list.isFull
    }
  }

  private mutating func normalize(
    _ part: NormalizedText, step: Int, isLast: Bool, _ list: inout TokenList
  ) {
    guard step < steps.count else { return match(part, isLast: isLast, &list) }
    let next = steps[step]
    guard var ready = normalizing[step].take(part, isLast: isLast, { next.cut(in: $0.bytes) }) else { return }
    next.normalize(&ready)
    normalizing[step].note(ready)
    normalize(ready, step: step + 1, isLast: isLast, &list)
  }

  private mutating func match(_ part: NormalizedText, isLast: Bool, _ list: inout TokenList) {
    let tokens = pipeline.normalizedTokens
    guard !tokens.isEmpty else { return cut(part, isLast: isLast, &list) }
    guard let text = matching.take(part, isLast: isLast, { tokens.cut(in: $0.bytes) }) else { return }
    var position = 0
    let bytes = text.bytes
    tokens.forEachMatch(in: bytes.span) { match in
      cut(text.part(match.stretch(after: position)), isLast: true, &list)
      cutting = WaitingText(startsAtOrigin: false)
      list.ids.append(match.token.id)
      position = match.range.upperBound
      return !list.isFull
    }
    if !list.isFull { cut(text.part(position..<bytes.count), isLast: isLast, &list) }
  }

  private mutating func cut(_ part: NormalizedText, isLast: Bool, _ list: inout TokenList) {
    let pipeline = pipeline
    var open = word
    let text = cutting.take(part, isLast: isLast) {
      pipeline.cut(in: $0)
    } waits: { text in
      guard let start = pipeline.wordStart(of: text), !start.word.isEmpty else { return text }
      var changed = open ?? OpenWord(pipeline.model)
      changed.append(start.word[...], isLast: false, to: &list)
      defer { open = changed }
      guard pipeline.seesNeighboursAlone, start.isAll else { return text }
      // Its ends say all that a cut behind it depends on, and how it begins.
      let ends = text.withoutMiddle()
      changed.handed = pipeline.wordStart(of: ends)?.word.count ?? 0
      return ends
    }
    word = open
    guard let text else { return }
    pipeline.appendWords(of: text, open: open, to: &list)
    word = nil
    cutting.note(text)
  }
}

extension NormalizedText {
  /// A part of the text.
  func part(_ range: Range<Int>) -> NormalizedText {
    guard range != bytes.indices else { return self }
    let isFirst = range.lowerBound == 0
    return NormalizedText(
      bytes: Array(bytes[range]), startsAtOrigin: startsAtOrigin && isFirst, continues: continues && isFirst)
  }

  /// The characters at the start that begin before a place, and the last one.
  func withoutMiddle(behind place: Int = 1) -> NormalizedText {
    var text = self
    let end = bytes.count - (bytes.isEmpty ? 0 : bytes.span.scalar(before: bytes.count).length)
    let start = bytes[...].characterStart(from: place)
    if start < end { text.bytes.removeSubrange(start..<end) }
    return text
  }
}

extension ArraySlice<UInt8> {
  /// The place of the first character from a place on; the end where there is none.
  func characterStart(from place: Int) -> Int {
    var start = Swift.min(place, endIndex)
    while start < endIndex, self[start] & 0xC0 == 0x80 { start += 1 }
    return start
  }

  /// Calls `body` with parts of whole characters and whether each is the last, until it returns false.
  func forEachPart(of length: Int, _ body: (ArraySlice<UInt8>, Bool) -> Bool) {
    var start = startIndex
    repeat {
      let end = characterStart(from: start + length)
      guard body(self[start..<end], end == endIndex) else { return }
      start = end
    } while start < endIndex
  }
}

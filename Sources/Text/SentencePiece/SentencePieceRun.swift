/// A text that comes part by part, on its way to the ids of a sentencepiece model. Its bytes may be any.
struct SentencePieceRun: WordRun {
  private let tokenizer: SentencePieceTokenizer
  /// What is not normalised yet, and what is not cut into pieces yet.
  private var text: [UInt8] = []
  private var normalized: [UInt8] = []
  private var progress = SentencePieceNormalizer.Progress()
  private var run: SegmentRun
  private var followsUnknown = false

  init(_ tokenizer: SentencePieceTokenizer) {
    self.tokenizer = tokenizer
    run = SegmentRun(tokenizer.segmenter, keepsUnknown: tokenizer.byteIDs != nil)
  }

  mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
    let (tokenizer, normalizer) = (tokenizer, tokenizer.normalizer)
    text += part
    normalizer.append(text, before: text.count, goesOn: !isLast, &progress, to: &normalized)
    text.removeFirst(progress.place)
    progress.place = 0
    let ready = normalized.count - (isLast ? 0 : normalizer.waitingSpace(in: normalized))
    var follows = followsUnknown
    run.append(normalized[..<ready], isLast: isLast) { id, segment in
      tokenizer.append(id, segment, followsUnknown: &follows, to: &ids)
    }
    followsUnknown = follows
    normalized.removeFirst(ready)
  }
}

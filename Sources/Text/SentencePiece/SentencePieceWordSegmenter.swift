/// The cut of a sentencepiece WORD model: a word begins at each U+2581.
package struct SentencePieceWordSegmenter: TextSegmenter {
  let model: SentencePieceModel

  package func cut(in text: [UInt8]) -> Int {
    text.indices.dropFirst().last { text.span.hasPrefix(UTF8Bytes.spaceMark, at: $0) } ?? 0
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    var segments: [TextSegment] = []
    var start = text.startIndex
    for at in text.indices.dropFirst() where text[at...].starts(with: UTF8Bytes.spaceMark) {
      segments.append(model.segment(start..<at, of: text))
      start = at
    }
    if start < text.endIndex { segments.append(model.segment(start..<text.endIndex, of: text)) }
    return segments
  }
}

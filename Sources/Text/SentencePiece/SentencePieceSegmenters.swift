/// The cut of a sentencepiece WORD model: a word begins at each U+2581.
package struct SentencePieceWordSegmenter: TextSegmenter {
  private let model: SentencePieceModel
  private let longestPiece: Int

  init(_ model: SentencePieceModel) {
    self.model = model
    longestPiece = (0..<model.pieces.count).reduce(0) { max($0, model.pieces.length(of: $1)) }
  }

  package var decidingLength: Int? { longestPiece }

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

/// The cut of a sentencepiece CHAR model: user-defined pieces and single characters.
package struct SentencePieceCharacterSegmenter: TextSegmenter {
  let model: SentencePieceModel
  let userDefined: UserDefinedPieces

  package func cut(in text: [UInt8]) -> Int {
    var at = 0
    while at < text.count, !userDefined.seesEnd(of: text[at...]) {
      at += userDefined.longestMatch(text[at...]) ?? UTF8Bytes.length(lead: text[at])
    }
    return min(at, text.count)
  }

  package func segments(of text: ArraySlice<UInt8>) -> [TextSegment] {
    var segments: [TextSegment] = []
    var at = text.startIndex
    while at < text.endIndex {
      let length = userDefined.longestMatch(text[at...]) ?? UTF8Bytes.length(lead: text[at])
      let end = min(at + length, text.endIndex)
      segments.append(model.segment(at..<end, of: text))
      at = end
    }
    return segments
  }
}

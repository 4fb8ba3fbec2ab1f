/// The cut of a sentencepiece CHAR model: user-defined pieces and single characters.
package struct SentencePieceCharacterSegmenter: TextSegmenter {
  let model: SentencePieceModel
  let userDefined: UserDefinedPieces

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

extension SentencePieceModel {
  /// A stretch of text as one segment: the piece it is, or unknown, as unused pieces are.
  func segment(_ range: Range<Int>, of text: ArraySlice<UInt8>) -> TextSegment {
    let id = id(of: text[range])
    let isUnknown = id == unknownID || types[Int(id)] == .unused
    return TextSegment(id: isUnknown ? TextSegment.unknown : id, range: range)
  }
}

/// Text on its way to the model, and for each of its bytes the bytes of the original that it is from.
struct AlignedText {
  var text: NormalizedText
  /// The character that each byte is from, or characters; as many as bytes.
  var origins: [Range<Int>]

  /// A stretch of the original.
  init(_ original: ArraySlice<UInt8>) {
    let bytes = Array(original)
    var origins: [Range<Int>] = []
    origins.reserveCapacity(bytes.count)
    let source = bytes.span
    var position = 0
    while position < source.count {
      let length = source.scalar(at: position).length
      let start = original.startIndex + position
      origins += repeatElement(start..<(start + length), count: length)
      position += length
    }
    self.init(NormalizedText(bytes: bytes, startsAtOrigin: original.startIndex == 0), origins: origins)
  }

  init(_ text: NormalizedText, origins: [Range<Int>]) {
    (self.text, self.origins) = (text, origins)
  }

  /// A part of the text.
  subscript(range: Range<Int>) -> AlignedText {
    AlignedText(
      NormalizedText(
        bytes: Array(text.bytes[range]), startsAtOrigin: text.startsAtOrigin && range.lowerBound == 0),
      origins: Array(origins[range]))
  }

  /// Calls `body` with the place of each character.
  func forEachCharacter(_ body: (Range<Int>) -> Void) {
    let source = text.bytes.span
    var position = 0
    while position < source.count {
      let length = source.scalar(at: position).length
      body(position..<(position + length))
      position += length
    }
  }
}

extension [Range<Int>] {
  /// From the first byte of the original to the last that bytes in a range are from.
  func original(of range: Range<Int>) -> Range<Int> {
    guard let last = range.last else { return 0..<0 }
    return self[range.lowerBound]
      .lowerBound..<Swift.max(self[range.lowerBound].lowerBound, self[last].upperBound)
  }
}

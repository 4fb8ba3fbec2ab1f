extension PreTokenizer {
  /// Cuts text, and keeps where its bytes are from.
  /// - Returns: whether that is known.
  func apply(to text: inout PreTokenizedText, _ origins: inout [Range<Int>]) -> Bool {
    let bytes = text.bytes
    apply(to: &text)
    return text.bytes == bytes
  }
}

extension ByteLevelPreTokenizer {
  /// A space that is put before a stretch is from its first character, and so is what a byte is written as.
  func apply(to text: inout PreTokenizedText, _ origins: inout [Range<Int>]) -> Bool {
    if addsPrefixSpace, text.pieces.contains(where: { text.bytes[$0.lowerBound] != 0x20 }) {
      origins = text.pieces.flatMap { piece in
        let given = origins[piece]
        return text.bytes[piece.lowerBound] == 0x20 ? given : given.prefix(1) + given
      }
    }
    var spaced = self
    spaced.writesCharacters = false
    spaced.apply(to: &text)
    guard writesCharacters else { return origins.count == text.bytes.count }
    origins = text.pieces.flatMap { piece in
      piece.flatMap { position in
        let length = ByteLevel.characters[Int(text.bytes[position])] < 0x80 ? 1 : 2
        return repeatElement(origins[position], count: length)
      }
    }
    ByteLevelPreTokenizer(addsPrefixSpace: false, cuts: false, writesCharacters: true).apply(to: &text)
    return origins.count == text.bytes.count
  }
}

extension Metaspace {
  /// A mark that is put before a stretch is from its first character, one that is written for a space from that.
  func apply(to text: inout PreTokenizedText, _ origins: inout [Range<Int>]) -> Bool {
    let given = text
    var marked: [Range<Int>] = []
    for (index, piece) in given.pieces.enumerated() {
      let source = given.bytes.span
      let isMarked = source[piece.lowerBound] == 0x20 || source.hasPrefix(mark, at: piece.lowerBound)
      let wantsMark = prepending == .always || (prepending == .first && index == 0 && given.startsAtOrigin)
      if wantsMark, !isMarked { marked += repeatElement(origins[piece.lowerBound], count: mark.count) }
      for position in piece {
        marked += repeatElement(origins[position], count: source[position] == 0x20 ? mark.count : 1)
      }
    }
    apply(to: &text)
    origins = marked
    return origins.count == text.bytes.count
  }
}

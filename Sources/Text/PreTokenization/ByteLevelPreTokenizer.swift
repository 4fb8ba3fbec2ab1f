/// Cuts text into words as GPT-2 does, and writes each byte as the character that stands for it.
struct ByteLevelPreTokenizer: PreTokenizer {
  /// Whether text that does not begin with a space gets one.
  let addsPrefixSpace: Bool
  /// Whether it cuts at all.
  var cuts: Bool
  /// Whether bytes are written as characters; else the model takes them as they are.
  var writesCharacters: Bool

  func apply(to text: inout PreTokenizedText) {
    if addsPrefixSpace, !text.continues { Self.addSpaces(&text) }
    if cuts {
      PatternSplitter(pattern: .gpt2, behavior: .isolated, isInverted: false).apply(to: &text)
    }
    if writesCharacters { Self.writeCharacters(&text) }
  }

  private static func addSpaces(_ text: inout PreTokenizedText) {
    let source = text.bytes
    guard text.pieces.contains(where: { source[$0.lowerBound] != 0x20 }) else { return }
    rewrite(&text) { piece, bytes in
      if source[piece.lowerBound] != 0x20 { bytes.append(0x20) }
      bytes += source[piece]
    }
  }

  private static func writeCharacters(_ text: inout PreTokenizedText) {
    let source = text.bytes
    rewrite(&text) { piece, bytes in
      for byte in source[piece] { bytes.append(scalar: ByteLevel.characters[Int(byte)]) }
    }
  }

  private static func rewrite(_ text: inout PreTokenizedText, _ write: (Range<Int>, inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.bytes.count + text.bytes.count / 4 + text.pieces.count)
    for (index, piece) in text.pieces.enumerated() {
      let start = bytes.count
      write(piece, &bytes)
      text.pieces[index] = start..<bytes.count
    }
    text.bytes = bytes
  }
}

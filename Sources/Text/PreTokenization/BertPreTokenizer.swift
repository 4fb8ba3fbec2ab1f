/// Cuts at space, which it drops, and around every punctuation mark.
struct BertPreTokenizer: PreTokenizer {
  func apply(to text: inout PreTokenizedText) {
    let ascii = CharacterProperties.ascii
    text.cutPieces { source, piece, list in
      let ascii = ascii.span
      var start = piece.lowerBound
      var position = start
      while position < piece.upperBound {
        let properties: CharacterProperties
        var length = 1
        if source[position] < 0x80 {
          properties = ascii[Int(source[position])]
        } else {
          let (character, bytes) = source.scalar(at: position)
          length = bytes
          properties = CharacterProperties(character)
        }
        if properties.isDisjoint(with: [.whitespace, .punctuation]) {
          position += length
          continue
        }
        list.append(start, position)
        if properties.contains(.punctuation) { list.append(position, position + length) }
        position += length
        start = position
      }
      list.append(start, piece.upperBound)
    }
  }
}

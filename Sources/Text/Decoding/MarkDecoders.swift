/// Reads the mark of a word's start as a space, and drops those of the first piece.
struct MetaspaceDecoder: TokenDecoder {
  let mark: [UInt8]
  /// Whether the first piece keeps its space.
  let keepsFirst: Bool

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    pieces.enumerated().map { index, piece in
      piece.replacing(mark, with: index == 0 && !keepsFirst ? [] : [0x20])
    }
  }
}

/// Reads the mark of a word's end as a space, but for the last piece.
struct WordEndDecoder: TokenDecoder {
  let suffix: [UInt8]

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    pieces.enumerated().map { index, piece in
      piece.replacing(suffix, with: index == pieces.count - 1 ? [] : [0x20])
    }
  }
}

/// Drops a character from the ends of each piece, so many times at most.
struct StripDecoder: TokenDecoder {
  let character: [UInt8]
  let atStart: Int
  let atEnd: Int

  func decode(_ pieces: [[UInt8]]) -> [[UInt8]] {
    pieces.map { piece in
      var rest = piece[...]
      var count = 0
      while count < atStart, rest.starts(with: character) {
        rest = rest.dropFirst(character.count)
        count += 1
      }
      count = 0
      while count < atEnd, rest.count >= character.count,
        rest.suffix(character.count).elementsEqual(character)
      {
        rest = rest.dropLast(character.count)
        count += 1
      }
      return Array(rest)
    }
  }
}

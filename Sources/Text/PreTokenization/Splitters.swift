/// Cuts at the matches of a pattern.
struct PatternSplitter: PreTokenizer {
  let pattern: TextPattern
  let behavior: SplitBehavior
  /// Whether it cuts at what does not match.
  let isInverted: Bool

  func apply(to text: inout PreTokenizedText) {
    text.cutPieces { source, piece, list in
      if isInverted, behavior == .removed {
        return pattern.forEachMatch(in: source, piece) { list.append($0.lowerBound, $0.upperBound) }
      }
      var splitter = MatchSplitter(piece, behavior: behavior, isInverted: isInverted)
      pattern.forEachMatch(in: source, piece) { splitter.add($0, to: &list) }
      splitter.finish(&list)
    }
  }
}

/// Cuts at characters that have a property.
struct PropertySplitter: PreTokenizer {
  let property: CharacterProperties
  let behavior: SplitBehavior

  func apply(to text: inout PreTokenizedText) {
    text.cutPieces { source, piece, list in
      var splitter = MatchSplitter(piece, behavior: behavior)
      var position = piece.lowerBound
      while position < piece.upperBound {
        let (character, length) = source.scalar(at: position)
        if CharacterProperties(character).contains(property) {
          splitter.add(position..<(position + length), to: &list)
        }
        position += length
      }
      splitter.finish(&list)
    }
  }
}

/// Cuts into words and runs of what is neither word nor space, and drops space.
struct WhitespaceSplitter: PreTokenizer {
  func apply(to text: inout PreTokenizedText) {
    text.cutPieces { source, piece, list in
      var start = piece.lowerBound
      var current: CharacterProperties = .whitespace
      var position = start
      while position < piece.upperBound {
        let (character, length) = source.scalar(at: position)
        let kind = CharacterProperties(character).intersection([.word, .whitespace])
        if kind != current {
          if current != .whitespace { list.append(start, position) }
          (start, current) = (position, kind)
        }
        position += length
      }
      if current != .whitespace { list.append(start, piece.upperBound) }
    }
  }
}

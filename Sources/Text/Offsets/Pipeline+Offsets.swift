/// A token, and the bytes of the original text that it is from.
struct PlacedToken {
  let id: Int32
  var range: Range<Int>
  /// Of an added token the text that it was found as, with the space that it takes in.
  var found: [UInt8]?
}

/// The way from text to ids once more, with where each token is from.
extension Pipeline {
  /// The tokens of a text, which is UTF-8; nil where it is not known where they are from.
  func placedTokens(of text: [UInt8]) -> [PlacedToken]? {
    var tokens: [PlacedToken] = []
    var position = 0
    var isKnown = true
    literalTokens.forEachMatch(in: text.span) { match in
      isKnown = add(stretch: text[match.stretch(after: position)], to: &tokens)
      tokens.append(
        PlacedToken(id: match.token.id, range: match.range, found: Array(text[match.range])))
      position = match.range.upperBound
      return isKnown
    }
    return isKnown && add(stretch: text[position...], to: &tokens) ? tokens : nil
  }

  private func add(stretch: ArraySlice<UInt8>, to tokens: inout [PlacedToken]) -> Bool {
    guard !stretch.isEmpty else { return true }
    var text = AlignedText(stretch)
    if let normalizer {
      guard let normalized = normalizer.aligned(text) else { return false }
      text = normalized
    }
    var position = 0
    var isKnown = true
    let bytes = text.text.bytes
    normalizedTokens.forEachMatch(in: bytes.span) { match in
      isKnown = add(words: text[match.stretch(after: position)], to: &tokens)
      tokens.append(
        PlacedToken(
          id: match.token.id, range: text.origins.original(of: match.range),
          found: Array(bytes[match.range])))
      position = match.range.upperBound
      return isKnown
    }
    return isKnown && add(words: text[position..<text.text.bytes.count], to: &tokens)
  }

  private func add(words text: AlignedText, to tokens: inout [PlacedToken]) -> Bool {
    guard !text.text.bytes.isEmpty else { return true }
    var words = PreTokenizedText(text.text)
    var origins = text.origins
    for preTokenizer in preTokenizers {
      guard preTokenizer.apply(to: &words, &origins) else { return false }
    }
    var ids: [Int32] = []
    for piece in words.pieces {
      let first = ids.count
      model.appendIDs(of: words.bytes[piece], to: &ids)
      guard first < ids.count else { continue }
      guard let places = model.places(of: ids[first...], in: words.bytes[piece]) else { return false }
      let start = piece.lowerBound
      for (id, place) in zip(ids[first...], places) {
        let bytes = (start + place.lowerBound)..<(start + place.upperBound)
        tokens.append(PlacedToken(id: id, range: origins.original(of: bytes)))
      }
    }
    return true
  }
}

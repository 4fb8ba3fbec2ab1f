extension TextNormalizer {
  /// What becomes of text, and where it is from; nil where that is not known.
  ///
  /// Where the whole text becomes what each of its characters becomes alone, each is from its own.
  func aligned(_ given: AlignedText) -> AlignedText? {
    aligned(given) { character in
      var part = NormalizedText(bytes: character, startsAtOrigin: false)
      normalize(&part)
      return part.bytes
    }
  }

  /// - Parameter become: what a character becomes alone; nil where that does not tell what is from it.
  fileprivate func aligned(_ given: AlignedText, by become: ([UInt8]) -> [UInt8]?) -> AlignedText? {
    var whole = given.text
    normalize(&whole)
    if whole.bytes == given.text.bytes { return AlignedText(whole, origins: given.origins) }
    var bytes: [UInt8] = []
    var origins: [Range<Int>] = []
    var isKnown = true
    given.forEachCharacter { range in
      guard isKnown, let part = become(Array(given.text.bytes[range])) else {
        isKnown = false
        return
      }
      bytes += part
      origins += repeatElement(given.origins.original(of: range), count: part.count)
    }
    return isKnown && bytes == whole.bytes ? AlignedText(whole, origins: origins) : nil
  }
}

extension NormalizerSequence {
  func aligned(_ given: AlignedText) -> AlignedText? {
    var text = given
    for step in steps {
      guard let next = step.aligned(text) else { return nil }
      text = next
    }
    return text
  }
}

extension SpaceStripper {
  func aligned(_ given: AlignedText) -> AlignedText? { given[kept(of: given.text.bytes)] }
}

extension Prepender {
  /// What is put before the text is from its first character.
  func aligned(_ given: AlignedText) -> AlignedText? {
    guard let first = given.origins.first else { return given }
    var text = given.text
    normalize(&text)
    return AlignedText(text, origins: [Range<Int>](repeating: first, count: prefix.count) + given.origins)
  }
}

extension PatternReplacer {
  /// What replaces a match is from its last character.
  func aligned(_ given: AlignedText) -> AlignedText? {
    var text = given.text
    normalize(&text)
    let source = given.text.bytes
    var origins: [Range<Int>] = []
    var position = 0
    pattern.forEachMatch(in: source.span, 0..<source.count) { match in
      origins += given.origins[position..<match.lowerBound]
      // An empty match is from what stands before it.
      let last = match.isEmpty ? match.lowerBound - 1 : match.upperBound - 1
      let origin = last >= 0 ? given.origins[last] : 0..<0
      origins += repeatElement(origin, count: replacement.count)
      position = match.upperBound
    }
    origins += given.origins[position...]
    return origins.count == text.bytes.count ? AlignedText(text, origins: origins) : nil
  }
}

extension CharacterMapNormalizer {
  /// Known where each character becomes one: characters that are replaced together are from each other's places.
  func aligned(_ given: AlignedText) -> AlignedText? {
    aligned(given) { character in
      let part = map.normalize(character)
      return !part.isEmpty && part.span.scalar(at: 0).length == part.count ? part : nil
    }
  }
}

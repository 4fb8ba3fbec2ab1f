extension TextNormalizer {
  /// Text of which each character is changed by itself, and is from its own place.
  func aligned(_ given: AlignedText) -> AlignedText? { alignedByCharacter(given) }

  fileprivate func alignedByCharacter(_ given: AlignedText) -> AlignedText? {
    aligned(given) { source in
      var changed = AlignedText(source.text, origins: [])
      changed.text.bytes = []
      source.forEachCharacter { range in
        var part = NormalizedText(bytes: Array(source.text.bytes[range]), startsAtOrigin: false)
        normalize(&part)
        changed.text.bytes += part.bytes
        changed.origins += repeatElement(source.origins.original(of: range), count: part.bytes.count)
      }
      return changed
    }
  }

  /// - Parameter change: keeps account of what becomes of text.
  /// - Returns: nil where that is another text than becomes of it.
  fileprivate func aligned(
    _ given: AlignedText, by change: (AlignedText) -> AlignedText?
  ) -> AlignedText? {
    var whole = given.text
    normalize(&whole)
    if whole.bytes == given.text.bytes { return AlignedText(whole, origins: given.origins) }
    guard let changed = change(given), changed.text.bytes == whole.bytes else { return nil }
    return AlignedText(whole, origins: changed.origins)
  }
}

extension UnicodeNormalizer {
  func aligned(_ given: AlignedText) -> AlignedText? {
    aligned(given) { $0.changed(by: form.changes(of: $0.text.bytes)) }
  }
}

extension BertNormalizer {
  /// Accents are put in order before they are dropped; all else is done to each character by itself.
  func aligned(_ given: AlignedText) -> AlignedText? {
    guard stripsAccents else { return alignedByCharacter(given) }
    var (before, after) = (self, self)
    (before.stripsAccents, before.lowercases) = (false, false)
    (after.cleansText, after.separatesChineseCharacters) = (false, false)
    return aligned(given) { source in
      before.alignedByCharacter(source).flatMap { UnicodeNormalizer(form: .nfd).aligned($0) }
        .flatMap { after.alignedByCharacter($0) }
    }
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
  func aligned(_ given: AlignedText) -> AlignedText? {
    aligned(given) { $0.changed(by: map.changes(of: $0.text.bytes)) }
  }
}

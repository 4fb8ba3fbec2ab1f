/// Where text that goes on can be cut before a step that looks at more than one character.
extension UnicodeNormalizer {
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, _ in Decompositions.shared.startsAnew(character) } ?? 0
  }
}

extension BertNormalizer {
  /// Accents are decomposed and put in order once control characters are dropped.
  func cut(in text: [UInt8]) -> Int {
    guard stripsAccents else { return text.count }
    return text.lastCharacter { character, _ in
      Decompositions.shared.startsAnew(character) && !CharacterProperties(character).contains(.control)
    } ?? 0
  }
}

extension SpaceStripper {
  func cut(in text: [UInt8]) -> Int {
    atEnd ? SpaceStripper(atStart: false, atEnd: true).kept(of: text).upperBound : text.count
  }
}

extension PatternReplacer {
  func cut(in text: [UInt8]) -> Int { pattern.cut(in: text) }
}

extension CharacterMapNormalizer {
  /// No cluster of characters goes on over two of ASCII, but for a line's end.
  func cut(in text: [UInt8]) -> Int {
    let place = text.indices.dropFirst().last { place in
      text[place - 1] | text[place] < 0x80 && (text[place - 1] != 0x0D || text[place] != 0x0A)
    }
    if let place { return place }
    let characters = String(decoding: text, as: UTF8.self)
    return text.count - (characters.last.map { $0.utf8.count } ?? 0)
  }
}

extension SiglipNormalizer {
  /// Behind a letter that stays and before a character by which a sigma can tell whether it ends a word.
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, before in
      guard let before, !PythonText.isSpace(before), before != SiglipNormalizer.mark,
        !PythonText.isPunctuation(before)
      else { return false }
      return PythonText.endsSearchForWordEnd(before) && PythonText.endsSearchForWordEnd(character)
    } ?? 0
  }

  private static let mark: UInt32 = 0x2581
}

extension [UInt8] {
  /// The place of the last character but the first of text for which a condition holds.
  /// - Parameter condition: of a character and the one before it.
  func lastCharacter(where condition: (UInt32, UInt32?) -> Bool) -> Int? {
    var end = count
    while end > 0 {
      let (character, length) = span.scalar(before: end)
      let place = end - length
      guard place > 0 else { return nil }
      if condition(character, span.scalar(before: place).value) { return place }
      end = place
    }
    return nil
  }
}

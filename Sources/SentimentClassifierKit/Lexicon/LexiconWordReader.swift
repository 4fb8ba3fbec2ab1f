/// The words of a text in small letters, apostrophes inside or in front of them, and the marks that end a clause.
struct LexiconWordReader: Sequence, IteratorProtocol {
  private var rest: Substring

  init(_ text: String) {
    rest = Substring(text.lowercased().map { $0 == "\u{2019}" ? "'" : $0 })
  }

  static func isMark(_ character: Character) -> Bool { ".,;:!?".contains(character) }

  mutating func next() -> Substring? {
    while let first = rest.first {
      if Self.isMark(first) { return take(1) }
      let word = wordLength
      if word > 0 { return take(word) }
      rest.removeFirst()
    }
    return nil
  }

  /// The characters of the word that begins here; 0 where none does. An apostrophe is part of it before a letter.
  private var wordLength: Int {
    var length = 0
    var isPending = false
    for character in rest {
      if character.isLetter {
        length += isPending ? 2 : 1
        isPending = false
      } else if character == "'", !isPending {
        isPending = true
      } else {
        break
      }
    }
    return length
  }

  private mutating func take(_ count: Int) -> Substring {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The normalisation forms of Unicode (Standard Annex 15), with the tables of the `tokenizers` library.
enum UnicodeNormalization: Sendable {
  case nfd, nfkd, nfc, nfkc

  private var isCompatible: Bool { self == .nfkd || self == .nfkc }
  private var composes: Bool { self == .nfc || self == .nfkc }

  /// The first code point that the form may change.
  private var firstAffected: UInt32 { isCompatible ? 0xA0 : 0xC0 }

  /// The text in this form. Texts without affected characters are given back as they are.
  func apply(_ text: [UInt8]) -> [UInt8] {
    guard !text.isASCII else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 2)
    forEachCharacter(of: text) { (character: UInt32) in result.append(scalar: character) }
    return result
  }

  /// The characters of the text in this form, with what each is from.
  func changes(of text: [UInt8]) -> [CharacterChange] {
    var changes: [CharacterChange] = []
    forEachCharacter(of: text) { changes.append($0) }
    return changes
  }

  /// Calls `body` with each character of the text in this form.
  @inline(__always)
  private func forEachCharacter<Character: ComposableCharacter>(of text: [UInt8], _ body: (Character) -> Void)
  {
    let source = text.span
    let tables = Decompositions.shared
    // Characters since the last one before which nothing reorders or composes.
    var pending: [Character] = []
    var parts: [UInt32] = []
    var position = 0
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      position += length
      if character < firstAffected {
        flush(&pending, tables, body)
        // It may be composed with what follows.
        let whole = Character(character, isFirst: true)
        if composes { pending.append(whole) } else { body(whole) }
      } else {
        parts.removeAll(keepingCapacity: true)
        tables.append(character, compatibly: isCompatible, to: &parts)
        for (index, part) in parts.enumerated() { pending.append(Character(part, isFirst: index == 0)) }
      }
    }
    flush(&pending, tables, body)
  }

  @inline(__always)
  private func flush<Character: ComposableCharacter>(
    _ pending: inout [Character], _ tables: Decompositions, _ body: (Character) -> Void
  ) {
    guard !pending.isEmpty else { return }
    if pending.count > 1 {
      Self.order(&pending, tables)
      if composes { Self.compose(&pending, tables) }
    }
    for character in pending { body(character) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Sorts each run of marks by class, keeping the order within a class.
  private static func order<Character: ComposableCharacter>(
    _ characters: inout [Character], _ tables: Decompositions
  ) {
    func combiningClass(_ character: Character) -> UInt16 { tables.combiningClass(character.value) }
    var start = 0
    while start < characters.count {
      guard combiningClass(characters[start]) > 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < characters.count, combiningClass(characters[end]) > 0 { end += 1 }
      if end - start > 1 {
        // The sort of the standard library is stable.
        let sorted = characters[start..<end].sorted { combiningClass($0) < combiningClass($1) }
        characters.replaceSubrange(start..<end, with: sorted)
      }
      start = end
    }
  }

  /// Composes each character with the last starter that nothing blocks it from.
  private static func compose<Character: ComposableCharacter>(
    _ characters: inout [Character], _ tables: Decompositions
  ) {
    var starter: Int?
    var lastClass: UInt16 = 0
    var count = 0
    for character in characters {
      let own = tables.combiningClass(character.value)
      if let place = starter, place == count - 1 || (lastClass < own && lastClass > 0),
        let whole = tables.composed(characters[place].value, character.value)
      {
        characters[place].join(character, as: whole)
        continue
      }
      if own == 0 { starter = count }
      lastClass = own
      characters[count] = character
      count += 1
    }
    characters.removeSubrange(count...)
  }
}

/// A character on its way to a normalisation form.
protocol ComposableCharacter {
  var value: UInt32 { get }
  /// - Parameter isFirst: whether it is the first of what its character is decomposed into.
  init(_ value: UInt32, isFirst: Bool)
  /// Takes in a character that it is composed with.
  mutating func join(_ other: Self, as whole: UInt32)
}

extension UInt32: ComposableCharacter {
  var value: UInt32 { self }
  init(_ value: UInt32, isFirst: Bool) { self = value }
  mutating func join(_ other: UInt32, as whole: UInt32) { self = whole }
}

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
    let source = text.span
    let tables = Decompositions.shared
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 2)
    // Characters since the last one before which nothing reorders or composes.
    var pending: [UInt32] = []
    var position = 0
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      position += length
      if character < firstAffected {
        flush(&pending, tables, to: &result)
        // It may be composed with what follows.
        if composes { pending.append(character) } else { result.append(scalar: character) }
      } else {
        tables.append(character, compatibly: isCompatible, to: &pending)
      }
    }
    flush(&pending, tables, to: &result)
    return result
  }

  private func flush(_ pending: inout [UInt32], _ tables: Decompositions, to result: inout [UInt8]) {
    guard !pending.isEmpty else { return }
    if pending.count > 1 {
      Self.order(&pending, tables)
      if composes { Self.compose(&pending, tables) }
    }
    for character in pending { result.append(scalar: character) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Sorts each run of marks by class, keeping the order within a class.
  private static func order(_ characters: inout [UInt32], _ tables: Decompositions) {
    var start = 0
    while start < characters.count {
      guard tables.combiningClass(characters[start]) > 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < characters.count, tables.combiningClass(characters[end]) > 0 { end += 1 }
      if end - start > 1 {
        // The sort of the standard library is stable.
        let sorted = characters[start..<end].sorted { tables.combiningClass($0) < tables.combiningClass($1) }
        characters.replaceSubrange(start..<end, with: sorted)
      }
      start = end
    }
  }

  /// Composes each character with the last starter that nothing blocks it from.
  private static func compose(_ characters: inout [UInt32], _ tables: Decompositions) {
    var starter: Int?
    var lastClass: UInt16 = 0
    var count = 0
    for character in characters {
      let own = tables.combiningClass(character)
      if let place = starter, place == count - 1 || (lastClass < own && lastClass > 0),
        let whole = tables.composed(characters[place], character)
      {
        characters[place] = whole
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

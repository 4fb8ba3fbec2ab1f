/// One of the normalisation forms of Unicode.
struct UnicodeNormalizer: TextNormalizer {
  let form: UnicodeNormalization

  func normalize(_ text: inout NormalizedText) { text.bytes = form.apply(text.bytes) }
}

/// Lower case, each character by itself.
struct LowercaseNormalizer: TextNormalizer {
  func normalize(_ text: inout NormalizedText) { text.bytes = Lowercase.shared.apply(text.bytes) }
}

/// Drops combining marks; it decomposes nothing.
struct AccentStripper: TextNormalizer {
  func normalize(_ text: inout NormalizedText) {
    guard !text.bytes.isASCII else { return }
    text.compactMap { $0 < 0x300 || !CharacterProperties($0).contains(.combiningMark) ? $0 : nil }
  }
}

/// Drops space at the ends.
struct SpaceStripper: TextNormalizer {
  let atStart: Bool
  let atEnd: Bool

  func normalize(_ text: inout NormalizedText) {
    let kept = SpaceStripper(atStart: atStart && !text.continues, atEnd: atEnd).kept(of: text.bytes)
    guard kept.count < text.bytes.count else { return }
    text.bytes = Array(text.bytes[kept])
    if kept.lowerBound > 0 { text.startsAtOrigin = false }
  }

  /// What of a text is not dropped.
  func kept(of bytes: [UInt8]) -> Range<Int> {
    let source = bytes.span
    var (start, end) = (0, source.count)
    while atStart, start < end {
      let (character, length) = source.scalar(at: start)
      guard CharacterProperties(character).contains(.whitespace) else { break }
      start += length
    }
    while atEnd, end > start {
      let (character, length) = source.scalar(before: end)
      guard CharacterProperties(character).contains(.whitespace) else { break }
      end -= length
    }
    return start..<end
  }
}

/// Puts text before what is not empty.
struct Prepender: TextNormalizer {
  let prefix: [UInt8]

  func normalize(_ text: inout NormalizedText) {
    if !text.bytes.isEmpty, !text.continues { text.bytes = prefix + text.bytes }
  }
}

/// The clean-up of neural machine translation in sentencepiece: control characters dropped, space made plain.
struct TranslationNormalizer: TextNormalizer {
  func normalize(_ text: inout NormalizedText) {
    text.compactMap { character in
      switch character {
      case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0x8F, 0x9F: nil
      case 0x09, 0x0A, 0x0C, 0x0D, 0x1680, 0x200B...0x200F, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD: 0x20
      default: character
      }
    }
  }
}

/// Writes every byte as the character that stands for it in byte-level vocabularies.
struct ByteLevelNormalizer: TextNormalizer {
  func normalize(_ text: inout NormalizedText) { text.bytes = ByteLevel.characters(for: text.bytes.span) }
}

/// The character map of a sentencepiece model.
struct CharacterMapNormalizer: TextNormalizer {
  let map: PrecompiledNormalizer

  func normalize(_ text: inout NormalizedText) { text.bytes = map.normalize(text.bytes) }
}

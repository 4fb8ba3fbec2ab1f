/// The text cleaning of BERT: control characters dropped, all space made plain, Chinese characters set apart,
/// accents dropped, lower case.
struct BertNormalizer: TextNormalizer {
  var cleansText = true
  var separatesChineseCharacters = true
  var stripsAccents = true
  var lowercases = true

  func normalize(_ text: inout NormalizedText) {
    guard !text.bytes.isASCII else { return normalizeASCII(&text) }
    if cleansText { clean(&text) }
    if separatesChineseCharacters { text.bytes = Self.separateChinese(text.bytes) }
    if stripsAccents {
      text.bytes = UnicodeNormalization.nfd.apply(text.bytes)
      text.compactMap { $0 < 0x300 || !CharacterProperties($0).contains(.nonspacingMark) ? $0 : nil }
    }
    if lowercases { text.bytes = Lowercase.shared.apply(text.bytes) }
  }

  private func clean(_ text: inout NormalizedText) {
    text.compactMap { character in
      if character < 0x80 {
        let byte = Self.cleaned[Int(character)]
        return byte > 0 ? UInt32(byte) : nil
      }
      let properties = CharacterProperties(character)
      if properties.contains(.control) { return nil }
      return properties.contains(.whitespace) ? 0x20 : character
    }
  }

  private func normalizeASCII(_ text: inout NormalizedText) {
    guard cleansText || lowercases else { return }
    let table = cleansText ? (lowercases ? Self.cleanedLowercase : Self.cleaned) : Self.lowercase
    if cleansText, let first = text.bytes.first, Self.cleaned[Int(first)] == 0 { text.startsAtOrigin = false }
    var result: [UInt8] = []
    let bytes = text.bytes
    result.reserveCapacity(bytes.count)
    let source = bytes.span
    let replacements = table.span
    for index in source.indices {
      let byte = replacements[Int(source[index] & 0x7F)]
      if byte > 0 || !cleansText { result.append(byte) }
    }
    text.bytes = result
  }

  /// What each character below 128 becomes; 0 for none.
  private static let cleaned: [UInt8] = (0..<128).map { (byte: UInt8) -> UInt8 in
    switch byte {
    case 0x09, 0x0A, 0x0D: 0x20
    case 0..<0x20, 0x7F: 0
    default: byte
    }
  }
  private static let lowercase: [UInt8] = (0..<128).map { (byte: UInt8) in
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }
  private static let cleanedLowercase: [UInt8] = cleaned.map { lowercase[Int($0)] }

  private static func separateChinese(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 4)
    let source = bytes.span
    var position = 0
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      position += length
      let isChinese = character >= 0x3400 && isChinese(character)
      if isChinese { result.append(0x20) }
      result.append(scalar: character)
      if isChinese { result.append(0x20) }
    }
    return result
  }

  /// The blocks of ideographs that BERT's tokenizer lists; later extensions are not among them.
  private static func isChinese(_ character: UInt32) -> Bool {
    switch character {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
      0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }
}

/// What methods of Python's strings do to text in UTF-8.
enum PythonText {
  /// Calls `body` with each character and the place of its bytes.
  @inline(__always)
  static func forEachCharacter(of text: [UInt8], _ body: (UInt32, Range<Int>) -> Void) {
    let source = text.span
    var position = 0
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      body(character, position..<(position + length))
      position += length
    }
  }

  /// `string.punctuation`.
  @inline(__always)
  static func isPunctuation(_ character: UInt32) -> Bool {
    switch character {
    case 0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e: true
    default: false
    }
  }

  /// `str.isspace` of one character: beside Unicode's space, the separators U+001C to U+001F.
  @inline(__always)
  static func isSpace(_ character: UInt32) -> Bool {
    switch character {
    case 0x09...0x0d, 0x1c...0x20: true
    case ..<0x80: false
    default: CharacterProperties(character).contains(.whitespace)
    }
  }

  /// `str.strip`.
  static func stripped(_ text: [UInt8]) -> [UInt8] {
    var (start, end) = (0, text.count)
    while start < end {
      let (character, length) = text.span.scalar(at: start)
      guard isSpace(character) else { break }
      start += length
    }
    while end > start {
      let (character, length) = text.span.scalar(before: end)
      guard isSpace(character) else { break }
      end -= length
    }
    return Array(text[start..<end])
  }

  /// `text.replace("\u2581", " ")`.
  static func replacingMarks(_ text: [UInt8]) -> [UInt8] {
    text.contains(UTF8Bytes.spaceMark[0]) ? text.replacing(UTF8Bytes.spaceMark, with: [0x20]) : text
  }

  /// `str.lower`: the lower case of each character, but for a sigma at the end of a word.
  static func lowercased(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    let source = text.span
    var position = 0
    while position < source.count {
      let byte = source[position]
      if byte < 0x80 {
        result.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
        position += 1
        continue
      }
      let (character, length) = source.scalar(at: position)
      if character == capitalSigma, endsWord(text, position, position + length) {
        result.append(contentsOf: finalSigma)
      } else {
        Lowercase.shared.append(character, to: &result)
      }
      position += length
    }
    return result
  }

  /// Whether what stands before a character has no part in whether a sigma behind it ends a word, nor the other way around.
  static func endsSearchForWordEnd(_ character: UInt32) -> Bool {
    character != capitalSigma && !isIgnorable(character)
  }

  private static let capitalSigma: UInt32 = 0x3a3
  private static let finalSigma: [UInt8] = [0xcf, 0x82]

  /// The condition Final_Sigma of Unicode (3.13): a cased letter before, none after, whatever is ignored
  /// between.
  private static func endsWord(_ text: [UInt8], _ start: Int, _ end: Int) -> Bool {
    var before = start
    while before > 0 {
      let (character, length) = text.span.scalar(before: before)
      before -= length
      if isIgnorable(character) { continue }
      guard isCased(character) else { return false }
      var after = end
      while after < text.count {
        let (character, length) = text.span.scalar(at: after)
        after += length
        if !isIgnorable(character) { return !isCased(character) }
      }
      return true
    }
    return false
  }

  private static func isIgnorable(_ character: UInt32) -> Bool {
    Unicode.Scalar(character)?.properties.isCaseIgnorable ?? false
  }

  private static func isCased(_ character: UInt32) -> Bool {
    Unicode.Scalar(character)?.properties.isCased ?? false
  }
}

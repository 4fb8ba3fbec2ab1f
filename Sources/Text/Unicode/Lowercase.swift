/// The lower case of each character by itself, as the `tokenizers` library makes it.
struct Lowercase: Sendable {
  private let differences: SparseTable
  private let sequences: [UInt32: [UInt32]]

  static let shared = Lowercase()

  private init() {
    var differences = SparseTable()
    var sequences: [UInt32: [UInt32]] = [:]
    var reader = UnicodeTableReader(UnicodeLowercase.differences)
    while !reader.isAtEnd {
      let range = reader.range()
      _ = reader.take(":")
      differences.insert(UInt16(truncatingIfNeeded: Int(reader.word()) ?? 0), for: range)
    }
    reader = UnicodeTableReader(UnicodeLowercase.sequences)
    while !reader.isAtEnd {
      let character = reader.codePoint()
      _ = reader.take("=")
      sequences[character] = reader.sequence()
      reader.skipSpace()
    }
    self.differences = differences
    self.sequences = sequences
  }

  /// Appends the lower case of a character.
  @inline(__always)
  func append(_ character: UInt32, to result: inout [UInt8]) {
    if character < 0x80 {
      let isUpper = character &- 0x41 < 26
      return result.append(UInt8(truncatingIfNeeded: isUpper ? character | 0x20 : character))
    }
    appendBeyondASCII(character, to: &result)
  }

  private func appendBeyondASCII(_ character: UInt32, to result: inout [UInt8]) {
    let difference = differences[character]
    if difference > 0 {
      // Upper and lower case of one letter are in one plane, so the sum is right in its 16 low bits.
      result.append(
        scalar: character & 0xFFFF_0000 | UInt32(UInt16(truncatingIfNeeded: character) &+ difference))
    } else if let sequence = sequences[character] {
      for part in sequence { result.append(scalar: part) }
    } else {
      result.append(scalar: character)
    }
  }

  /// The text in lower case.
  func apply(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    let source = text.span
    var position = 0
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      position += length
      append(character, to: &result)
    }
    return result
  }
}

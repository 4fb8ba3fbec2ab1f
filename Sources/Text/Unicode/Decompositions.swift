/// The decompositions, compositions and combining classes of characters.
struct Decompositions: Sendable {
  /// Where a decomposition starts in `scalars`: its length, then its characters; 0 for none.
  private var canonical = SparseTable()
  private var compatible = SparseTable()
  private var classes = SparseTable()
  private var scalars: [UInt32] = [0]
  private var compositions: [UInt64: UInt32] = [:]
  /// The characters that are composed with one before them.
  private var seconds: Set<UInt32> = []

  static let shared = Decompositions()

  private init() {
    readCanonical()
    var reader = UnicodeTableReader(UnicodeCompatibility.decompositions)
    while !reader.isAtEnd {
      let run = reader.range()
      _ = reader.take("=")
      var sequence = reader.sequence()
      for character in run {
        insert(sequence, of: character, in: \.compatible)
        sequence[0] &+= 1
      }
      reader.skipSpace()
    }
    reader = UnicodeTableReader(UnicodeDecompositions.combiningClasses)
    while !reader.isAtEnd {
      let range = reader.range()
      _ = reader.take(":")
      classes.insert(UInt16(reader.word()) ?? 0, for: range)
    }
  }

  private mutating func readCanonical() {
    var reader = UnicodeTableReader(UnicodeDecompositions.canonical)
    var composing: [(character: UInt32, sequence: [UInt32])] = []
    while !reader.isAtEnd {
      let character = reader.codePoint()
      let composes = reader.take("=")
      if !composes { _ = reader.take("~") }
      let sequence = reader.sequence()
      if composes { composing.append((character, sequence)) }
      insert(sequence, of: character, in: \.canonical)
      reader.skipSpace()
    }
    // A character of three parts is composed of the character of the first two, and the third.
    for (character, sequence) in composing.sorted(by: { $0.sequence.count < $1.sequence.count }) {
      guard var first = sequence.first else { continue }
      for part in sequence[1..<(sequence.count - 1)] { first = composed(first, part) ?? first }
      compositions[Self.pair(first, sequence[sequence.count - 1])] = character
      seconds.insert(sequence[sequence.count - 1])
    }
  }

  private mutating func insert(
    _ sequence: [UInt32], of character: UInt32, in table: WritableKeyPath<Self, SparseTable>
  ) {
    self[keyPath: table].insert(UInt16(truncatingIfNeeded: scalars.count), for: character...character)
    scalars.append(UInt32(sequence.count))
    scalars += sequence
  }

  private static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }

  /// The combining class, which orders marks; 0 for what is no mark.
  func combiningClass(_ character: UInt32) -> UInt16 { character < 0x300 ? 0 : classes[character] }

  /// Appends the full decomposition of a character.
  func append(_ character: UInt32, compatibly: Bool, to result: inout [UInt32]) {
    if let syllable = HangulSyllable(character) { return syllable.append(to: &result) }
    var start = Int(compatibly ? compatible[character] : 0)
    if start == 0 { start = Int(canonical[character]) }
    guard start > 0 else { return result.append(character) }
    result += scalars[(start + 1)...(start + Int(scalars[start]))]
  }

  /// Whether nothing before a character is composed with it or changes places with it.
  func startsAnew(_ character: UInt32) -> Bool {
    guard character >= 0x300 else { return true }
    var parts: [UInt32] = []
    for compatibly in [false, true] { append(character, compatibly: compatibly, to: &parts) }
    return parts.allSatisfy { part in
      combiningClass(part) == 0 && !seconds.contains(part) && !HangulSyllable.isSecond(part)
    }
  }

  /// The character that two make together.
  func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    HangulSyllable.composed(first, second) ?? compositions[Self.pair(first, second)]
  }
}

/// The arithmetic of Hangul syllables (The Unicode Standard, section 3.12).
private struct HangulSyllable {
  private static let syllables: UInt32 = 0xAC00
  private static let leads: UInt32 = 0x1100
  private static let vowels: UInt32 = 0x1161
  private static let tails: UInt32 = 0x11A7
  private static let vowelCount: UInt32 = 21
  private static let tailCount: UInt32 = 28
  private static let count: UInt32 = 11172
  private let index: UInt32

  init?(_ character: UInt32) {
    guard character >= Self.syllables, character < Self.syllables + Self.count else { return nil }
    index = character - Self.syllables
  }

  /// Whether a character is composed with one before it.
  static func isSecond(_ character: UInt32) -> Bool {
    (vowels..<(vowels + vowelCount)).contains(character) || (tails..<(tails + tailCount)).contains(character)
  }

  func append(to result: inout [UInt32]) {
    result.append(Self.leads + index / (Self.vowelCount * Self.tailCount))
    result.append(Self.vowels + index % (Self.vowelCount * Self.tailCount) / Self.tailCount)
    if index % Self.tailCount > 0 { result.append(Self.tails + index % Self.tailCount) }
  }

  static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if first >= leads, first < leads + 19, second >= vowels, second < vowels + vowelCount {
      return syllables + ((first - leads) * vowelCount + second - vowels) * tailCount
    }
    guard let syllable = HangulSyllable(first), syllable.index % tailCount == 0, second > tails,
      second < tails + tailCount
    else { return nil }
    return first + second - tails
  }
}

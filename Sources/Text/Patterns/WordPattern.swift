/// The expressions by which CLIP and GPT-2 cut text into words, matched in one pass over the text.
struct WordPattern: Sendable {
  /// Whether a space belongs to the word after it, and space is matched at all.
  private let takesSpace: Bool
  /// Whether each number is a match of its own.
  private let separatesNumbers: Bool
  /// Texts that are matched before anything else.
  private var names: [[UInt8]] = []

  /// `'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+`
  static let clip = WordPattern(takesSpace: false, separatesNumbers: true)
  /// The same, after `<\|startoftext\|>|<\|endoftext\|>`.
  static let clipWithNames = WordPattern(
    takesSpace: false, separatesNumbers: true,
    names: ["<|startoftext|>", "<|endoftext|>"].map { Array($0.utf8) })
  /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
  static let gpt2 = WordPattern(takesSpace: true, separatesNumbers: false)

  private enum Kind: UInt8 {
    case letter, number, space, other

    init(_ character: UInt32) {
      let properties = CharacterProperties(character)
      let category = properties.category
      self =
        category.isLetter
        ? .letter : category.isNumber ? .number : properties.contains(.whitespace) ? .space : .other
    }

    static let ascii: [Kind] = (0..<128).map { Kind($0) }
  }

  func forEachMatch(in text: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var position = range.lowerBound
    let end = range.upperBound
    while position < end {
      let start = position
      if text[position] == UInt8(ascii: "'"), let length = Self.contraction(text, position, end) {
        position += length
        body(start..<position)
        continue
      }
      if text[position] == UInt8(ascii: "<"), let length = name(text, position, end) {
        position += length
        body(start..<position)
        continue
      }
      let (kind, length) = Self.kind(text, position)
      position += length
      if kind != .space {
        Self.skip(kind, text, &position, end, justOne: kind == .number && separatesNumbers)
      } else if takesSpace {
        takeSpace(text, start, &position, end)
      } else {
        continue
      }
      body(start..<position)
    }
  }

  private func name(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> Int? {
    for name in names where position + name.count <= end && text.hasPrefix(name, at: position) {
      return name.count
    }
    return nil
  }

  /// Goes on behind a space character at `start`.
  private func takeSpace(_ text: Span<UInt8>, _ start: Int, _ position: inout Int, _ end: Int) {
    guard position < end else { return }
    let (kind, length) = Self.kind(text, position)
    if kind != .space {
      guard text[start] == UInt8(ascii: " ") else { return }
      position += length
      return Self.skip(kind, text, &position, end, justOne: false)
    }
    var last = position
    while position < end {
      let (kind, length) = Self.kind(text, position)
      guard kind == .space else {
        // The last one is left to what follows.
        position = last
        return
      }
      last = position
      position += length
    }
  }

  @inline(__always)
  private static func skip(
    _ kind: Kind, _ text: Span<UInt8>, _ position: inout Int, _ end: Int, justOne: Bool
  ) {
    guard !justOne else { return }
    while position < end {
      let (next, length) = Self.kind(text, position)
      guard next == kind else { return }
      position += length
    }
  }

  @inline(__always)
  private static func kind(_ text: Span<UInt8>, _ position: Int) -> (Kind, Int) {
    let byte = text[position]
    if byte < 0x80 { return (Kind.ascii[Int(byte)], 1) }
    let (character, length) = text.scalar(at: position)
    return (Kind(character), length)
  }

  /// The bytes of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at an apostrophe; nil for none.
  private static func contraction(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> Int? {
    guard position + 1 < end else { return nil }
    let first = text[position + 1]
    switch first {
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "d"): return 2
    case UInt8(ascii: "r"), UInt8(ascii: "v"), UInt8(ascii: "l"):
      guard position + 2 < end else { return nil }
      return text[position + 2] == (first == UInt8(ascii: "l") ? first : UInt8(ascii: "e")) ? 3 : nil
    default: return nil
    }
  }
}

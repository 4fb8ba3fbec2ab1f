/// A shell pattern for one name: `*` stands for any characters, `?` for one, `[a-z]` for one of these and `[!a-z]`
/// for one that is not, `[[:upper:]]` for one of a class, of which only ASCII has any, `\*` for the star itself. A byte
/// that is no UTF-8 is a character of its own.
struct NamePattern: Sendable, Hashable {
  private enum Token: Sendable, Hashable {
    case byte(UInt8)
    case character
    case run
    case among([ClosedRange<UInt32>], isNegated: Bool)
  }

  private let tokens: [Token]

  /// - Returns: nil where a `[` is not closed, a range is upside down, a class is unknown, or nothing follows a `\`.
  init?(_ pattern: some Collection<UInt8>) {
    var tokens: [Token] = []
    var rest = Array(pattern)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if tokens.last != .run { tokens.append(.run) }
      case UInt8(ascii: "?"): tokens.append(.character)
      case UInt8(ascii: "["):
        guard let token = Self.characters(&rest) else { return nil }
        tokens.append(token)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        tokens.append(.byte(escaped))
      default: tokens.append(.byte(byte))
      }
    }
    self.tokens = tokens
  }

  /// The characters between brackets. A `]` directly behind the `[` is one of them.
  private static func characters(_ rest: inout ArraySlice<UInt8>) -> Token? {
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<UInt32>] = []
    while !rest.isEmpty {
      if let name = takeClassName(&rest) {
        guard let members = classes[name] else { return nil }
        ranges += members.map { UInt32($0.lowerBound)...UInt32($0.upperBound) }
        continue
      }
      guard let first = takeCharacter(&rest) else { return nil }
      if first == UInt8(ascii: "]"), !ranges.isEmpty { return .among(ranges, isNegated: isNegated) }
      var last = first
      if rest.first == UInt8(ascii: "-"), rest.dropFirst().first != UInt8(ascii: "]") {
        rest.removeFirst()
        guard let end = takeCharacter(&rest), end >= first else { return nil }
        last = end
      }
      ranges.append(first...last)
    }
    return nil
  }

  private static let classes: [String: [ClosedRange<UInt8>]] = {
    let (digit, upper, lower) = (UInt8(0x30)...0x39, UInt8(0x41)...0x5A, UInt8(0x61)...0x7A)
    return [
      "alnum": [digit, upper, lower], "alpha": [upper, lower], "blank": [0x09...0x09, 0x20...0x20],
      "cntrl": [0x00...0x1F, 0x7F...0x7F], "digit": [digit], "graph": [0x21...0x7E], "lower": [lower],
      "print": [0x20...0x7E], "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
      "space": [0x09...0x0D, 0x20...0x20], "upper": [upper], "xdigit": [digit, 0x41...0x46, 0x61...0x66],
    ]
  }()

  /// The `upper` of `[:upper:]`; nil where a `[` stands for itself.
  private static func takeClassName(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.starts(with: "[:".utf8) else { return nil }
    let name = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "]") }
    guard name.last == UInt8(ascii: ":"), name.endIndex < rest.endIndex else { return nil }
    rest = rest[(name.endIndex + 1)...]
    return String(decoding: name.dropLast(), as: UTF8.self)
  }

  private static func takeCharacter(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    guard !rest.isEmpty else { return nil }
    let (value, length) = rest.withUnsafeBytes { character($0, at: 0) }
    rest = rest.dropFirst(length)
    return value
  }

  /// A scalar, or for a byte that is no UTF-8 a number above all scalars; and its length in bytes.
  private static func character(_ name: UnsafeRawBufferPointer, at place: Int) -> (value: UInt32, length: Int)
  {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = name[place...].makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &rest) else {
      return (0x11_0000 + UInt32(name[place]), 1)
    }
    return (Unicode.UTF8.decode(encoded).value, encoded.count)
  }

  func matches(_ name: some Collection<UInt8>) -> Bool {
    Array(name).withUnsafeBytes { matches($0) }
  }

  /// Only the last star is retried, so that time is at most proportional to the product of both lengths.
  func matches(_ name: UnsafeRawBufferPointer) -> Bool {
    var (token, place) = (0, 0)
    var star: (token: Int, place: Int)?
    while true {
      if token < tokens.count, tokens[token] == .run {
        token += 1
        star = (token, place)
      } else if token < tokens.count, let length = length(of: tokens[token], name, at: place) {
        token += 1
        place += length
      } else if token == tokens.count, place == name.count {
        return true
      } else {
        guard let (after, start) = star, start < name.count else { return false }
        (token, place) = (after, start + Self.character(name, at: start).length)
        star = (token, place)
      }
    }
  }

  /// How many bytes a token takes; nil when it does not match.
  private func length(of token: Token, _ name: UnsafeRawBufferPointer, at place: Int) -> Int? {
    guard place < name.count else { return nil }
    switch token {
    case .byte(let byte): return name[place] == byte ? 1 : nil
    case .character: return Self.character(name, at: place).length
    case .run: return nil
    case .among(let ranges, let isNegated):
      let (value, length) = Self.character(name, at: place)
      return ranges.contains { $0.contains(value) } != isNegated ? length : nil
    }
  }
}

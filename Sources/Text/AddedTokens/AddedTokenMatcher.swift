import TensorCore

/// Finds added tokens in text: from the left, the longest at each place.
struct AddedTokenMatcher: Sendable {
  private struct Node: Sendable {
    var next: [UInt8: Int] = [:]
    /// The number of the token that ends here.
    var token: Int?
  }

  let tokens: [AddedToken]
  private var nodes = [Node()]
  private var startsToken = [Bool](repeating: false, count: 256)
  private let longestToken: Int
  /// Whether a token is found only where no word goes on.
  private let looksForWords: Bool
  /// Whether a token takes in the space before it.
  private let takesSpaceBefore: Bool

  /// - Parameter tokens: each token with the text to look for.
  init(_ tokens: [(token: AddedToken, pattern: [UInt8])]) {
    self.tokens = tokens.map(\.token)
    longestToken = tokens.reduce(0) { max($0, $1.pattern.count) }
    looksForWords = tokens.contains { $0.token.isSingleWord }
    takesSpaceBefore = tokens.contains { $0.token.stripsLeft }
    for (number, token) in tokens.enumerated() {
      guard let first = token.pattern.first else { continue }
      startsToken[Int(first)] = true
      var node = 0
      for byte in token.pattern {
        if let next = nodes[node].next[byte] {
          node = next
        } else {
          nodes.append(Node())
          nodes[node].next[byte] = nodes.count - 1
          node = nodes.count - 1
        }
      }
      if nodes[node].token == nil { nodes[node].token = number }
    }
  }

  var isEmpty: Bool { tokens.isEmpty }

  /// A token found, with the space that it takes in.
  struct Match {
    let token: AddedToken
    let range: Range<Int>

    /// The text between an earlier token's end and this one; empty where this one begins in space that the earlier
    /// took in.
    func stretch(after end: Int) -> Range<Int> {
      min(end, range.lowerBound)..<range.lowerBound
    }
  }

  /// Calls `body` with each token found, until it returns false.
  func forEachMatch(in text: Span<UInt8>, _ body: (Match) -> Bool) {
    guard !isEmpty else { return }
    var position = 0
    // Where the last token found ended.
    var end = 0
    let starts = startsToken.span
    while position < text.count {
      guard starts[Int(text[position])], let (token, length) = longest(in: text, at: position) else {
        position += 1
        continue
      }
      let place = position..<(position + length)
      position += length
      guard !token.isSingleWord || Self.standsAlone(place, in: text) else { continue }
      let range = Self.withSpace(place, of: token, in: text, after: end)
      end = range.upperBound
      // One that takes in space only may find it taken by the token before it.
      if !range.isEmpty, !body(Match(token: token, range: range)) { return }
    }
  }

  /// Where text that goes on can be cut: the last place before and behind which the tokens are found that are found in the
  /// whole, whatever follows; 0 where there is none.
  func cut(in bytes: [UInt8]) -> Int {
    let text = bytes.span
    // What is looked at from each place: a token and the character behind it.
    let sure = text.count - longestToken - 4
    guard sure > 0 else { return 0 }
    var (position, end) = (0, 0)
    var place = 0
    while position <= sure {
      if position >= max(1, end), text[position] & 0xC0 != 0x80 {
        let before = CharacterProperties(text.scalar(before: position).value)
        let isInWord = before.union(CharacterProperties(text.scalar(at: position).value)).contains(.word)
        let isSeen =
          (looksForWords && isInWord)
          || (takesSpaceBefore && before.contains(.whitespace) && position > end)
        if !isSeen { place = position }
      }
      guard let (token, length) = longest(in: text, at: position) else {
        position += 1
        continue
      }
      let found = position..<(position + length)
      position += length
      guard !token.isSingleWord || Self.standsAlone(found, in: text) else { continue }
      let range = Self.withSpace(found, of: token, in: text, after: end)
      guard range.upperBound <= sure else { break }
      end = range.upperBound
    }
    return place
  }

  /// The place of a token with the space that it takes in.
  private static func withSpace(
    _ place: Range<Int>, of token: AddedToken, in text: Span<UInt8>, after end: Int
  ) -> Range<Int> {
    let upper = token.stripsRight ? spaceEnd(after: place.upperBound, in: text) : place.upperBound
    let lower = token.stripsLeft ? max(spaceStart(before: place.lowerBound, in: text), end) : place.lowerBound
    return min(lower, upper)..<upper
  }

  private func longest(in text: Span<UInt8>, at start: Int) -> (token: AddedToken, length: Int)? {
    var node = 0
    var best: (AddedToken, Int)?
    var position = start
    while position < text.count, let next = nodes[node].next[text[position]] {
      node = next
      position += 1
      if let token = nodes[node].token { best = (tokens[token], position - start) }
    }
    return best
  }

  private static func standsAlone(_ range: Range<Int>, in text: Span<UInt8>) -> Bool {
    func isWord(_ character: UInt32) -> Bool { CharacterProperties(character).contains(.word) }
    if range.lowerBound > 0, isWord(text.scalar(before: range.lowerBound).value) { return false }
    return range.upperBound == text.count || !isWord(text.scalar(at: range.upperBound).value)
  }

  private static func spaceStart(before position: Int, in text: Span<UInt8>) -> Int {
    var start = position
    while start > 0 {
      let (character, length) = text.scalar(before: start)
      guard CharacterProperties(character).contains(.whitespace) else { break }
      start -= length
    }
    return start
  }

  private static func spaceEnd(after position: Int, in text: Span<UInt8>) -> Int {
    var end = position
    while end < text.count {
      let (character, length) = text.scalar(at: end)
      guard CharacterProperties(character).contains(.whitespace) else { break }
      end += length
    }
    return end
  }
}

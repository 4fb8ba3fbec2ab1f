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

  /// - Parameter tokens: each token with the text to look for.
  init(_ tokens: [(token: AddedToken, pattern: [UInt8])]) {
    self.tokens = tokens.map(\.token)
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

  func matches(in text: Span<UInt8>) -> [Match] {
    guard !isEmpty else { return [] }
    var found: [Match] = []
    var position = 0
    // Where the last token found ended.
    var end = 0
    let starts = startsToken.span
    while position < text.count {
      guard starts[Int(text[position])], let (token, length) = longest(in: text, at: position) else {
        position += 1
        continue
      }
      var range = position..<(position + length)
      position += length
      guard !token.isSingleWord || Self.standsAlone(range, in: text) else { continue }
      if token.stripsRight { range = range.lowerBound..<Self.spaceEnd(after: range.upperBound, in: text) }
      if token.stripsLeft {
        let start = max(Self.spaceStart(before: range.lowerBound, in: text), end)
        range = min(start, range.upperBound)..<range.upperBound
      }
      // One that takes in space only may find it taken by the token before it.
      if !range.isEmpty { found.append(Match(token: token, range: range)) }
      end = range.upperBound
    }
    return found
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

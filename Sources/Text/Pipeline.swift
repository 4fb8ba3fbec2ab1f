/// The way from text to ids without the special tokens around it.
struct Pipeline: Sendable {
  var normalizer: (any TextNormalizer)?
  var preTokenizers: [any PreTokenizer]
  var model: any TokenModel
  /// Tokens looked for in the text as given.
  var literalTokens: AddedTokenMatcher
  /// Tokens looked for in the normalised text.
  var normalizedTokens: AddedTokenMatcher
  /// Bytes of a stretch of text that go through the steps together.
  var partLength = 1 << 16

  /// Puts a step of lower case before the others, where none of them is one.
  mutating func lowercase() {
    let steps = (normalizer as? NormalizerSequence)?.steps ?? [normalizer].compactMap(\.self)
    guard !steps.contains(where: { $0 is LowercaseNormalizer }) else { return }
    let sequence = NormalizerSequence(steps: [LowercaseNormalizer()] + steps)
    normalizer = sequence
    normalizedTokens = AddedTokenMatcher(sequence.forms(of: normalizedTokens.tokens))
  }

  /// Appends the ids of a text, which is UTF-8.
  func appendIDs(of text: [UInt8], to list: inout TokenList) {
    var position: Int?
    literalTokens.forEachMatch(in: text.span) { match in
      let stretch = match.stretch(after: position ?? 0)
      if !stretch.isEmpty { appendIDs(of: text, stretch, to: &list) }
      list.ids.append(match.token.id)
      list.trim()
      position = match.range.upperBound
      return !list.isFull
    }
    let rest = (position ?? 0)..<text.count
    if !list.isFull, position == nil || !rest.isEmpty { appendIDs(of: text, rest, to: &list) }
  }

  private func appendIDs(of text: [UInt8], _ range: Range<Int>, to list: inout TokenList) {
    let startsAtOrigin = range.lowerBound == 0
    guard range.count <= partLength else {
      var stretch = LongStretch(self, startsAtOrigin: startsAtOrigin)
      return stretch.appendIDs(of: text[range], to: &list)
    }
    var stretch = NormalizedText(
      bytes: range == text.indices ? text : Array(text[range]), startsAtOrigin: startsAtOrigin)
    normalizer?.normalize(&stretch)
    var position = 0
    let bytes = stretch.bytes
    normalizedTokens.forEachMatch(in: bytes.span) { match in
      appendWords(of: stretch.part(match.stretch(after: position)), to: &list)
      list.ids.append(match.token.id)
      position = match.range.upperBound
      return !list.isFull
    }
    if !list.isFull { appendWords(of: stretch.part(position..<bytes.count), to: &list) }
  }

  /// Appends the ids of normalised text without added tokens.
  /// - Parameter open: the first word, where the model has some of it already.
  func appendWords(of text: NormalizedText, open: OpenWord? = nil, to list: inout TokenList) {
    guard !text.bytes.isEmpty else { return }
    var words = PreTokenizedText(text)
    for preTokenizer in preTokenizers { preTokenizer.apply(to: &words) }
    for (index, piece) in words.pieces.enumerated() {
      if index == 0, var open {
        open.append(words.bytes[piece], isLast: true, to: &list)
      } else {
        model.appendIDs(of: words.bytes[piece], limit: list.limit, to: &list.ids)
      }
      if list.isFull { return }
    }
  }

  /// Where normalised text that goes on can be cut: the last place at which a word begins whatever follows; 0 for none.
  func cut(in text: NormalizedText) -> Int {
    for preTokenizer in preTokenizers {
      guard preTokenizer.cuts else { return 0 }
      let place = preTokenizer.cut(in: text.bytes)
      // One that looks at two characters leaves what it does not cut to the next.
      guard place == 0, preTokenizer is any NeighbourSplitter else { return place }
    }
    return 0
  }

  /// Whether words are cut between two characters by what these are, whatever is around them.
  var seesNeighboursAlone: Bool { preTokenizers.allSatisfy(\.seesNeighboursAlone) }

  /// The start of normalised text as the model gets it, as far as it is in one word whatever follows.
  /// - Returns: the word, and whether all of the text is in it; nil where that is not known.
  func wordStart(of text: NormalizedText) -> (word: [UInt8], isAll: Bool)? {
    var words = PreTokenizedText(text)
    var isAll = true
    for preTokenizer in preTokenizers {
      let length = preTokenizer.uncutStart(of: words.bytes)
      guard length > 0 else { return nil }
      if length < words.bytes.count {
        isAll = false
        words.bytes.removeSubrange(length...)
        words.pieces = [0..<length]
      }
      preTokenizer.change(&words)
    }
    return (words.bytes, isAll)
  }
}

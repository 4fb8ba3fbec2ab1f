/// The way from text to ids without the special tokens around it.
struct Pipeline: Sendable {
  var normalizer: (any TextNormalizer)?
  var preTokenizers: [any PreTokenizer]
  var model: any TokenModel
  /// Tokens looked for in the text as given.
  var literalTokens: AddedTokenMatcher
  /// Tokens looked for in the normalised text.
  var normalizedTokens: AddedTokenMatcher

  /// Puts a step of lower case before the others, where none of them is one.
  mutating func lowercase() {
    let steps = (normalizer as? NormalizerSequence)?.steps ?? [normalizer].compactMap(\.self)
    guard !steps.contains(where: { $0 is LowercaseNormalizer }) else { return }
    let sequence = NormalizerSequence(steps: [LowercaseNormalizer()] + steps)
    normalizer = sequence
    normalizedTokens = AddedTokenMatcher(sequence.forms(of: normalizedTokens.tokens))
  }

  /// Appends the ids of a text, which is UTF-8. Once there are more than `limit`, the rest may be left out.
  func appendIDs(of text: [UInt8], limit: Int, to ids: inout [Int32]) {
    let matches = literalTokens.matches(in: text.span)
    guard !matches.isEmpty else {
      return appendNormalized(NormalizedText(bytes: text, startsAtOrigin: true), limit: limit, to: &ids)
    }
    var position = 0
    for match in matches {
      appendStretch(of: text, match.stretch(after: position), limit: limit, to: &ids)
      ids.append(match.token.id)
      position = match.range.upperBound
      if ids.count > limit { return }
    }
    appendStretch(of: text, position..<text.count, limit: limit, to: &ids)
  }

  private func appendStretch(of text: [UInt8], _ range: Range<Int>, limit: Int, to ids: inout [Int32]) {
    guard !range.isEmpty else { return }
    let stretch = NormalizedText(bytes: Array(text[range]), startsAtOrigin: range.lowerBound == 0)
    appendNormalized(stretch, limit: limit, to: &ids)
  }

  private func appendNormalized(_ text: NormalizedText, limit: Int, to ids: inout [Int32]) {
    var text = text
    normalizer?.normalize(&text)
    let matches = normalizedTokens.matches(in: text.bytes.span)
    guard !matches.isEmpty else { return appendWords(of: text, limit: limit, to: &ids) }
    var position = 0
    for match in matches {
      appendWords(of: text, match.stretch(after: position), limit: limit, to: &ids)
      ids.append(match.token.id)
      position = match.range.upperBound
      if ids.count > limit { return }
    }
    appendWords(of: text, position..<text.bytes.count, limit: limit, to: &ids)
  }

  private func appendWords(
    of text: NormalizedText, _ range: Range<Int>, limit: Int, to ids: inout [Int32]
  ) {
    guard !range.isEmpty else { return }
    let startsAtOrigin = text.startsAtOrigin && range.lowerBound == 0
    appendWords(
      of: NormalizedText(bytes: Array(text.bytes[range]), startsAtOrigin: startsAtOrigin), limit: limit,
      to: &ids)
  }

  private func appendWords(of text: NormalizedText, limit: Int, to ids: inout [Int32]) {
    var words = PreTokenizedText(text)
    for preTokenizer in preTokenizers { preTokenizer.apply(to: &words) }
    for piece in words.pieces {
      model.appendIDs(of: words.bytes[piece], to: &ids)
      if ids.count > limit { return }
    }
  }
}

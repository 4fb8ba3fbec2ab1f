/// Where text that goes on can be cut before it is cut into words.
extension ByteLevelPreTokenizer {
  func cut(in text: [UInt8]) -> Int { TextPattern.gpt2.cut(in: text) }

  func uncutStart(of text: [UInt8]) -> Int {
    guard cuts else { return text.count }
    let length = TextPattern.gpt2.matchedStart(of: text)
    // The word is another one where a space comes before it.
    return addsPrefixSpace
      ? min(length, max(0, TextPattern.gpt2.matchedStart(of: [0x20] + text) - 1)) : length
  }

  func change(_ text: inout PreTokenizedText) {
    var uncut = self
    uncut.cuts = false
    uncut.apply(to: &text)
    if cuts { text.continues = false }
  }
}

extension Metaspace {
  var cuts: Bool { splits }

  func cut(in text: [UInt8]) -> Int {
    text.indices.dropFirst().last { begins(at: $0, in: text.span) } ?? 0
  }

  func uncutStart(of text: [UInt8]) -> Int {
    let source = text.span
    guard splits else { return text.count }
    for place in source.indices.dropFirst() where begins(at: place, in: source) { return place }
    if seesNeighboursAlone { return text.count }
    // A mark may have begun.
    var end = max(0, text.count - max(0, mark.count - 1))
    while end > 0, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  func change(_ text: inout PreTokenizedText) {
    Metaspace(mark: mark, prepending: prepending, splits: false).apply(to: &text)
    text.continues = text.continues && !splits
  }

  var seesNeighboursAlone: Bool { mark.count(where: { $0 & 0xC0 != 0x80 }) < 2 }

  private func begins(at place: Int, in text: Span<UInt8>) -> Bool {
    text[place] == 0x20 || text.hasPrefix(mark, at: place)
  }
}

extension PatternSplitter {
  func cut(in text: [UInt8]) -> Int {
    let isPlain = behavior == .isolated || behavior == .removed
    switch pattern {
    case .clip, .clipWithNames, .gpt2: return isPlain ? pattern.cut(in: text) : 0
    case _ where !isPlain && isInverted: return 0
    case .expression(let program):
      let sure = SureMatches(of: program, in: text)
      return places(of: sure.matches).suffix(16).reversed().first { sure.hold(before: $0.place, $0.count) }?
        .place ?? 0
    case .literal, .run:
      let end = pattern.cut(in: text)
      var matches: [Range<Int>] = []
      pattern.forEachMatch(in: text.span, 0..<text.count) { if $0.upperBound <= end { matches.append($0) } }
      return places(of: matches).last?.place ?? 0
    }
  }

  func uncutStart(of text: [UInt8]) -> Int {
    let matched = pattern.matchedStart(of: text)
    if matched > 0 { return behavior == .removed && !isInverted ? 0 : matched }
    return behavior == .removed && isInverted ? 0 : pattern.unmatchedStart(of: text)
  }

  /// Where stretches begin whatever the state of the splitter, and the matches before.
  private func places(of matches: [Range<Int>]) -> [(place: Int, count: Int)] {
    matches.indices.compactMap { index in
      let end = index > 0 ? matches[index - 1].upperBound : 0
      let isApart = matches[index].lowerBound > end
      switch behavior {
      case .isolated, .removed: return (matches[index].lowerBound, index)
      case .contiguous, .mergedWithNext: return isApart ? (matches[index].lowerBound, index) : nil
      case .mergedWithPrevious: return isApart ? (end, index) : nil
      }
    }
  }
}

/// Where text that goes on can be cut before it is cut into words.
extension BertPreTokenizer {
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, _ in
      !CharacterProperties(character).isDisjoint(with: [.whitespace, .punctuation])
    } ?? 0
  }
}

extension ByteLevelPreTokenizer {
  func cut(in text: [UInt8]) -> Int { TextPattern.gpt2.cut(in: text) }
}

extension Metaspace {
  var cuts: Bool { splits }

  func cut(in text: [UInt8]) -> Int {
    text.indices.dropFirst().last { text[$0] == 0x20 || text.span.hasPrefix(mark, at: $0) } ?? 0
  }
}

extension WhitespaceSplitter {
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, before in
      let kinds: CharacterProperties = [.word, .whitespace]
      return before.map { CharacterProperties($0).intersection(kinds) }
        .map { $0 != CharacterProperties(character).intersection(kinds) } ?? false
    } ?? 0
  }
}

extension PropertySplitter {
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, before in
      guard let before else { return false }
      let (isPlace, followsPlace) = (
        CharacterProperties(character).contains(property), CharacterProperties(before).contains(property)
      )
      return isPlace != followsPlace && isPlace != (behavior == .mergedWithPrevious)
    } ?? 0
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

  /// Nothing cuts before the first place where a text may be found.
  func uncutStart(of text: [UInt8]) -> Int {
    guard case .literal = pattern, !isInverted else { return 0 }
    var isFound = false
    pattern.forEachMatch(in: text.span, 0..<text.count) { _ in isFound = true }
    return isFound ? 0 : max(0, pattern.cut(in: text))
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

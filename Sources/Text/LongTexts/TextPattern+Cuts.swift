/// The matches of a pattern in text that goes on.
extension TextPattern {
  /// The last place before and behind which the matches are those of the whole, whatever follows; 0 for none.
  func cut(in text: [UInt8]) -> Int {
    switch self {
    case .literal(let wanted):
      var end = 0
      forEachMatch(in: text.span, 0..<text.count) { end = $0.upperBound }
      var place = text.count - wanted.count + 1
      while place > 0, place < text.count, text[place] & 0xC0 == 0x80 { place -= 1 }
      return max(end, place)
    case .run(let set, _, _):
      var end = text.count
      while end > 0 {
        let (character, length) = text.span.scalar(before: end)
        guard set.contains(character) else { break }
        end -= length
      }
      return end
    case .clip, .clipWithNames: return Self.wordBoundary(in: text, takesSpace: false)
    case .gpt2: return Self.wordBoundary(in: text, takesSpace: true)
    case .expression(let program): return SureMatches(of: program, in: text).cut
    }
  }

  /// The bytes at the start that are in the first match, whatever follows; 0 where none begins there, or that is not known.
  func matchedStart(of text: [UInt8]) -> Int {
    if case .expression(let program) = self {
      var search = ExpressionProgram.Search(program)
      _ = search.firstMatch(in: text.span, text.indices)
      return search.sureEnd
    }
    var end: Int?
    forEachMatch(in: text.span, text.indices) { end = end ?? ($0.lowerBound == 0 ? $0.upperBound : 0) }
    guard case .gpt2 = self, end == text.count, !text.isEmpty else { return end ?? 0 }
    // The last space of a run is left to a word that follows.
    let (last, length) = text.span.scalar(before: text.count)
    return text.count - (CharacterProperties(last).contains(.whitespace) ? length : 0)
  }

  /// The bytes at the start that are in no match, whatever follows.
  func unmatchedStart(of text: [UInt8]) -> Int {
    if case .expression(let program) = self {
      let sure = SureMatches(of: program, in: text)
      return sure.matches.first?.lowerBound ?? sure.cut
    }
    var start: Int?
    forEachMatch(in: text.span, text.indices) { start = start ?? $0.lowerBound }
    return min(start ?? text.count, max(0, cut(in: text)))
  }

  /// The last place at which the expressions of CLIP and GPT-2 begin a match, or a gap between matches: space behind what
  /// is none, and what is none behind space that no word takes, or letters and other characters side by side, those of
  /// ASCII excepted.
  private static func wordBoundary(in text: [UInt8], takesSpace: Bool) -> Int {
    text.lastCharacter { character, before in
      guard let before else { return false }
      let (kind, last) = (CharacterProperties(character), CharacterProperties(before))
      if kind.contains(.whitespace) || last.contains(.whitespace) {
        return kind.contains(.whitespace) != last.contains(.whitespace)
          && (kind.contains(.whitespace) || !takesSpace)
      }
      let isOther = { (properties: CharacterProperties) in
        !properties.category.isLetter && !properties.category.isNumber
      }
      return (kind.category.isLetter && isOther(last) && before >= 0x80)
        || (last.category.isLetter && isOther(kind) && character >= 0x80)
    } ?? 0
  }
}

/// The matches of an expression in text that goes on that are the same whatever follows.
struct SureMatches {
  private let program: ExpressionProgram
  private let text: [UInt8]
  private(set) var matches: [Range<Int>] = []
  /// Behind the last character that the search for each match looked at.
  private var seenEnds: [Int] = []
  /// Behind the matches, a place before which nothing begins that could go on there.
  private(set) var quietPlace = 0

  init(of program: ExpressionProgram, in text: [UInt8]) {
    (self.program, self.text) = (program, text)
    var search = ExpressionProgram.Search(program)
    while quietPlace < text.count {
      let match = search.firstMatch(in: text.span, quietPlace..<text.count)
      guard let match, search.seenEnd <= text.count else {
        quietPlace = search.quietPlace
        return
      }
      matches.append(match)
      seenEnds.append(search.seenEnd)
      quietPlace = match.upperBound
    }
  }

  /// Whether the text before a place has the matches alone that it has in the whole: an end is not what a character there is.
  /// - Parameter count: the matches before it.
  func hold(before place: Int, _ count: Int) -> Bool {
    var index = count
    while index > 0, seenEnds[index - 1] > place { index -= 1 }
    let start = index > 0 ? matches[index - 1].upperBound : 0
    var isSame = true
    program.forEachMatch(in: text.span, start..<place) { match in
      isSame = isSame && index < count && matches[index] == match
      index += 1
    }
    return isSame && index == count
  }

  /// The last place before and behind which the matches are those of the whole; 0 for none.
  var cut: Int {
    if quietPlace < text.count, hold(before: quietPlace, matches.count) { return quietPlace }
    for index in matches.indices.suffix(16).reversed() where hold(before: matches[index].lowerBound, index) {
      return matches[index].lowerBound
    }
    return 0
  }
}

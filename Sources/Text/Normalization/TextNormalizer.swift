/// Text between two added tokens, on its way to the pre-tokenizer.
struct NormalizedText {
  var bytes: [UInt8]
  /// Whether its first character comes from the first of the whole input, which the word marker of some
  /// models asks for.
  var startsAtOrigin: Bool
  /// Whether it goes on what came before, so that nothing is put before it or stripped from its start.
  var continues = false
}

/// A step that changes text before it is cut into words.
protocol TextNormalizer: Sendable {
  func normalize(_ text: inout NormalizedText)
  /// What becomes of text, and where it is from; nil where that is not known.
  func aligned(_ given: AlignedText) -> AlignedText?
  /// Where text that goes on can be cut: the last place before and behind which each part becomes what it becomes in the
  /// whole, whatever follows; 0 where there is none.
  func cut(in text: [UInt8]) -> Int
  /// The steps that follow one another.
  var steps: [any TextNormalizer] { get }
}

extension TextNormalizer {
  /// Where each character is changed by itself: the end.
  func cut(in text: [UInt8]) -> Int { text.count }

  var steps: [any TextNormalizer] { [self] }

  /// Tokens with the form in which each is looked for in normalised text.
  func forms(of tokens: [AddedToken]) -> [(token: AddedToken, pattern: [UInt8])] {
    tokens.map { token in
      var text = NormalizedText(bytes: Array(token.content.utf8), startsAtOrigin: true)
      normalize(&text)
      return (token, text.bytes)
    }
  }
}

/// Steps one after another.
struct NormalizerSequence: TextNormalizer {
  let steps: [any TextNormalizer]

  init(steps: [any TextNormalizer]) { self.steps = steps.flatMap(\.steps) }

  func normalize(_ text: inout NormalizedText) {
    for step in steps { step.normalize(&text) }
  }
}

extension NormalizedText {
  /// Keeps the characters for which `replacement` gives one, replaced by that.
  mutating func compactMap(_ replacement: (UInt32) -> UInt32?) {
    var result: [UInt8] = []
    let bytes = bytes
    result.reserveCapacity(bytes.count)
    let source = bytes.span
    var position = 0
    var startsAtOrigin = startsAtOrigin
    while position < source.count {
      let (character, length) = source.scalar(at: position)
      if let kept = replacement(character) {
        result.append(scalar: kept)
      } else if position == 0 {
        startsAtOrigin = false
      }
      position += length
    }
    self = NormalizedText(bytes: result, startsAtOrigin: startsAtOrigin, continues: continues)
  }
}

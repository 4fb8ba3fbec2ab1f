extension Tokenizer {
  /// Where the tokens of each text are from; nil where that is not known.
  /// - Parameter parts: the ids of each text, or the first of them.
  func places(of texts: [[UInt8]], _ parts: [[Int32]]) -> [[Range<Int>]]? {
    guard let offsetTrimming else { return nil }
    var places: [[Range<Int>]] = []
    for (text, ids) in zip(texts, parts) {
      guard var tokens = pipeline.placedTokens(of: text), tokens.lazy.map(\.id).starts(with: ids) else {
        return nil
      }
      for trimming in offsetTrimming { trimming.trim(&tokens, of: text) { token(of: $0) ?? "" } }
      places.append(tokens.prefix(ids.count).map(\.range))
    }
    return places
  }

  /// The places of what is left of the texts, between the special tokens around them.
  /// - Parameters:
  ///   - parts: the ids of each text that are left.
  ///   - side: the end that was cut off.
  func offsets(
    _ places: [[Range<Int>]], _ parts: [[Int32]], side: TextSide, of encoding: Encoding
  ) -> [Range<Int>]? {
    let left = zip(places, parts).flatMap { places, ids in
      side == .right ? places.prefix(ids.count) : places.suffix(ids.count)
    }
    guard left.count == encoding.specialTokensMask.count(where: { $0 == 0 }), hasTextsInOrder else {
      return nil
    }
    var next = left.makeIterator()
    return encoding.specialTokensMask.map { $0 == 0 ? next.next() ?? 0..<0 : 0..<0 }
  }
}

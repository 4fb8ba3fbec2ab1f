/// Which bytes of a stretch of text each of its tokens is.
extension TokenModel {
  /// Nil: it is not known.
  package func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? { nil }
}

extension WholeWords {
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? {
    ids.count == 1 ? [0..<text.count] : nil
  }
}

extension WordPiece {
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? {
    if ids.count == 1 { return [0..<text.count] }
    var lengths: [Int] = []
    for (index, id) in ids.enumerated() {
      guard let piece = vocabulary.piece(of: id) else { return nil }
      lengths.append(piece.utf8.count - (index > 0 ? continuation.count : 0))
    }
    // Two pieces may have one id.
    let isText = lengths.allSatisfy { $0 >= 0 } && lengths.reduce(0, +) == text.count
    return isText ? lengths.places : nil
  }
}

extension BytePairEncoding {
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? {
    lengths(of: ids, in: text)?.places
  }

  func lengths(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Int]? {
    if ids.count == 1 { return [text.count] }
    var lengths: [Int] = []
    var rest = text
    for (index, id) in ids.enumerated() {
      let length: Int
      if id == unknown {
        length = unknownLength(in: text, from: rest.startIndex)
      } else {
        guard let piece = undressed(id, isFirst: index == 0, isLast: index == ids.count - 1),
          rest.starts(with: piece)
        else { return nil }
        length = piece.count
      }
      lengths.append(length)
      rest = rest.dropFirst(length)
    }
    return rest.isEmpty ? lengths : nil
  }

  /// The characters of a piece at its place in a word.
  private func undressed(_ id: Int32, isFirst: Bool, isLast: Bool) -> [UInt8]? {
    guard let piece = vocabulary.piece(of: id) else { return nil }
    var bytes = Array(piece.utf8)
    if options.fallsBackToBytes, let byte = ByteToken.byte(of: bytes[...]) { return [byte] }
    if !isFirst, bytes.starts(with: continuation) { bytes.removeFirst(continuation.count) }
    if isLast, bytes.suffix(wordEnd.count) == wordEnd[...] { bytes.removeLast(wordEnd.count) }
    return bytes
  }

  /// The bytes of an unknown character, or of all that are joined.
  private func unknownLength(in text: ArraySlice<UInt8>, from start: Int) -> Int {
    let word = text.span
    let first = start - text.startIndex
    var position = first
    while position < word.count {
      let end = position + word.scalar(at: position).length
      let form = Form(isFirst: position == 0, isLast: end == word.count)
      if position > first, !options.joinsUnknown || id(ofCharacter: word, position..<end, form: form) >= 0 {
        break
      }
      position = end
    }
    return position - first
  }
}

extension ByteLevelPairEncoding {
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? {
    let characters = ByteLevel.characters(for: text.span)
    guard let places = base.places(of: ids, in: characters[...]) else { return nil }
    // Each character stands for a byte.
    return places.map { characters[$0].count { $0 & 0xC0 != 0x80 } }.places
  }
}

extension UnigramModel {
  package func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]? {
    var places: [Range<Int>] = []
    var run: Range<Int>?
    func finishRun() {
      guard let unknown = run else { return }
      run = nil
      var tokens: [Int32] = []
      appendReversed(unknown: text[unknown], to: &tokens)
      // Each of the pieces of its bytes is all of it.
      places += repeatElement(unknown, count: tokens.count)
    }
    segmenter.forEachSegmentFromEnd(of: text) { id, range in
      if id == TextSegment.unknown || id == unknownID {
        run = range.lowerBound..<(run?.upperBound ?? range.upperBound)
      } else {
        finishRun()
        places.append(range)
      }
    }
    finishRun()
    guard places.count == ids.count else { return nil }
    return places.reversed().map { ($0.lowerBound - text.startIndex)..<($0.upperBound - text.startIndex) }
  }
}

extension [Int] {
  /// The places of stretches that follow each other.
  fileprivate var places: [Range<Int>] {
    var start = 0
    return map { length in
      defer { start += length }
      return start..<(start + length)
    }
  }
}

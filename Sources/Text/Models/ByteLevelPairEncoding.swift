/// Byte-pair encoding over bytes: it takes text as it is, and reads each byte as the character that stands for it.
struct ByteLevelPairEncoding: TokenModel {
  let base: BytePairEncoding
  /// The ids of bytes inside a word, last, first, and alone; nil where the vocabulary lacks some.
  private let byteIDs: [[Int32]]?

  init(_ base: BytePairEncoding) {
    self.base = base
    let characters = ByteLevel.characters
    let ids = BytePairEncoding.Form.all.map { form in
      characters.map { character in
        var text: [UInt8] = []
        text.append(scalar: character)
        return base.id(ofCharacter: text.span, 0..<text.count, form: form)
      }
    }
    byteIDs = ids.allSatisfy { form in form.allSatisfy { $0 >= 0 } } ? ids : nil
  }

  var vocabularySize: Int { base.vocabularySize }
  var pieceCount: Int { base.pieceCount }
  func id(of piece: String) -> Int32? { base.id(of: piece) }
  func piece(of id: Int32) -> String? { base.piece(of: id) }

  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
    guard byteIDs != nil, !base.prefersWholeWords else {
      let characters = ByteLevel.characters(for: text.span)
      return base.appendIDs(of: characters[...], to: &ids)
    }
    let start = ids.count
    var place = PairRun.Place()
    appendBytes(of: text.span, isLast: true, &place, to: &ids)
    base.merger.merge(&ids, from: start)
  }

  func wordRun() -> any WordRun { PairRun(self, base, looksUp: appendBytes) }

  /// Appends the ids of bytes.
  /// - Parameters:
  ///   - isLast: whether the word ends with them.
  ///   - place: how far the word has come.
  private func appendBytes(
    of word: Span<UInt8>, isLast: Bool, _ place: inout PairRun.Place, to ids: inout [Int32]
  ) {
    guard let byteIDs else {
      let characters = ByteLevel.characters(for: word)
      return base.appendCharacters(of: characters.span, isLast: isLast, &place, to: &ids)
    }
    guard !word.isEmpty else { return }
    let inner = byteIDs[BytePairEncoding.Form.inner.rawValue]
    for index in word.indices {
      let (isFirst, isLast) = (place.isFirst && index == 0, isLast && index == word.count - 1)
      ids.append(
        isFirst || isLast
          ? byteIDs[BytePairEncoding.Form(isFirst: isFirst, isLast: isLast).rawValue][Int(word[index])]
          : inner[Int(word[index])])
    }
    place.isFirst = false
  }
}

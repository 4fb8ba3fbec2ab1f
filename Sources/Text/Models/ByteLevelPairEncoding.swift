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
    appendIDs(of: text, goesOn: false, limit: .max, to: &ids)
  }

  func appendIDs(of text: ArraySlice<UInt8>, goesOn: Bool, limit: Int, to ids: inout [Int32]) {
    if goesOn, text.count <= base.merger.windowSize { return }
    // No piece is as long as a word that goes on.
    guard let byteIDs, goesOn || !base.prefersWholeWords else {
      let characters = ByteLevel.characters(for: text.span)
      return base.appendIDs(of: characters[...], goesOn: goesOn, limit: limit, to: &ids)
    }
    let word = text.span
    let start = ids.count
    let (first, inner, last) = (
      BytePairEncoding.Form.first, BytePairEncoding.Form.inner, BytePairEncoding.Form.last
    )
    if word.count == 1 {
      ids.append(byteIDs[BytePairEncoding.Form.alone.rawValue][Int(word[0])])
    } else if word.count > 1 {
      ids.append(byteIDs[first.rawValue][Int(word[0])])
      for index in 1..<(word.count - 1) { ids.append(byteIDs[inner.rawValue][Int(word[index])]) }
      ids.append(byteIDs[last.rawValue][Int(word[word.count - 1])])
      if goesOn {
        base.merger.mergeInWindows(&ids, from: start, goesOn: true, limit: limit)
      } else {
        base.merger.merge(&ids, from: start, limit: limit)
      }
    }
  }
}

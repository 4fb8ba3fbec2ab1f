/// A word on its way to ids while its text still comes: no more of the text is kept than decides upon its ids.
package protocol WordRun {
  /// Takes in the next part of the word, whole characters, and appends the ids that are sure by now, whatever follows. Once
  /// there are more than `limit`, the rest may be left out.
  /// - Parameter isLast: whether the word ends with the part.
  mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32])
}

/// A word that is looked up once all of it has come.
struct CollectedWord: WordRun {
  private let model: any TokenModel
  private let decidingLength: Int
  private var text: [UInt8] = []

  /// - Parameter decidingLength: bytes that decide upon a word: all that begin with them and are longer have the same ids.
  init(_ model: any TokenModel, decidingLength: Int = .max) {
    (self.model, self.decidingLength) = (model, decidingLength)
  }

  mutating func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
    let room = decidingLength < .max ? max(0, decidingLength + 1 - text.count) : .max
    text += part.prefix(room)
    if isLast { model.appendIDs(of: text[...], to: &ids) }
  }
}

/// A word that a pipeline has handed over to its model in part.
struct OpenWord {
  private var run: any WordRun
  /// Bytes at the start of the word, as far as it is kept, that the model has.
  var handed = 0

  init(_ model: any TokenModel) { run = model.wordRun() }

  /// Hands over what is new of a word.
  mutating func append(_ word: ArraySlice<UInt8>, isLast: Bool, to list: inout TokenList) {
    let part = word.dropFirst(handed)
    handed += part.count
    run.append(part, isLast: isLast, limit: list.limit, to: &list.ids)
  }
}

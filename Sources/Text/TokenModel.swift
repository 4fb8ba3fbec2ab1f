/// The vocabulary of a tokenizer, and the rule that cuts a stretch of normalised text into its pieces.
package protocol TokenModel: Sendable {
  /// One more than the highest id of a piece.
  var vocabularySize: Int { get }
  /// How many pieces there are: less than ``vocabularySize`` where their ids leave gaps.
  var pieceCount: Int { get }
  /// The id of a piece; nil when the vocabulary lacks it.
  func id(of piece: String) -> Int32?
  /// The piece of an id; nil when there is none.
  func piece(of id: Int32) -> String?
  /// Appends the ids of a stretch of text, such as a word, given as UTF-8.
  func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32])
  /// A stretch of text that comes part by part.
  func wordRun() -> any WordRun
  /// The bytes that each of its ids is, counted from the start of the text; nil where that is not known.
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]?
}

extension TokenModel {
  package var pieceCount: Int { vocabularySize }

  package func wordRun() -> any WordRun { CollectedWord(self) }

  /// Appends the ids of a stretch of text. Once there are more than `limit`, the rest may be left out.
  func appendIDs(of text: ArraySlice<UInt8>, limit: Int, to ids: inout [Int32]) {
    let length = 1 << 16
    guard text.count > length else { return appendIDs(of: text, to: &ids) }
    var run = wordRun()
    text.forEachPart(of: length) { part, isLast in
      run.append(part, isLast: isLast, limit: limit, to: &ids)
      return ids.count <= limit
    }
  }
}

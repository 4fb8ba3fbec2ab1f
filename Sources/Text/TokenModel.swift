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
  /// Appends the ids of a stretch of text. Once there are more than `limit`, the rest may be left out.
  /// - Parameter goesOn: whether more text follows, so that only ids are appended that are the same whatever it is.
  func appendIDs(of text: ArraySlice<UInt8>, goesOn: Bool, limit: Int, to ids: inout [Int32])
  /// Bytes that decide upon a stretch of text: all that are longer have the same ids. Nil where there is no such number.
  var decidingLength: Int? { get }
  /// The bytes that each of its ids is, counted from the start of the text; nil where that is not known.
  func places(of ids: ArraySlice<Int32>, in text: ArraySlice<UInt8>) -> [Range<Int>]?
}

extension TokenModel {
  package var pieceCount: Int { vocabularySize }

  package var decidingLength: Int? { nil }

  package func appendIDs(of text: ArraySlice<UInt8>, goesOn: Bool, limit: Int, to ids: inout [Int32]) {
    if !goesOn { appendIDs(of: text, to: &ids) }
  }
}

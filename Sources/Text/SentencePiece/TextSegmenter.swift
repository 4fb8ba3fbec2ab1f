/// A stretch of a text and the piece it is.
package struct TextSegment: Sendable {
  /// The id of what no piece covers.
  package static let unknown: Int32 = -1

  package var id: Int32
  /// Offsets into the text's bytes.
  package var range: Range<Int>
}

/// A rule that cuts text into pieces of a vocabulary.
package protocol TextSegmenter: Sendable {
  /// The segments of `text`, well-formed UTF-8, in order and without gaps.
  func segments(of text: ArraySlice<UInt8>) -> [TextSegment]
}

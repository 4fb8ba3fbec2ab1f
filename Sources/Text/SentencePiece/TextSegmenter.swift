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
  /// The last place at which a segment begins of text that goes on, whatever follows; 0 for none.
  func cut(in text: [UInt8]) -> Int
  /// Bytes that decide upon text without a cut: all that is longer is one unknown segment. Nil where there is no such
  /// number.
  var decidingLength: Int? { get }
}

extension TextSegmenter {
  package var decidingLength: Int? { nil }
}

/// The cut of a text that comes part by part, into the segments of the whole.
struct SegmentRun {
  private let segmenter: any TextSegmenter
  /// Whether the text of unknown segments is wanted.
  private let keepsUnknown: Bool
  private var unigram: UnigramRun?
  private var waiting = WaitingText(startsAtOrigin: true)

  /// - Parameter keepsUnknown: whether all of the text of unknown segments is wanted.
  init(_ segmenter: any TextSegmenter, keepsUnknown: Bool) {
    (self.segmenter, self.keepsUnknown) = (segmenter, keepsUnknown)
    unigram = (segmenter as? UnigramSegmenter).map { UnigramRun($0) }
  }

  /// Takes in a part of whole characters, and calls `body` with the id and the text of each segment that is known by now.
  mutating func append(
    _ part: ArraySlice<UInt8>, isLast: Bool, _ body: (Int32, ArraySlice<UInt8>) -> Void
  ) {
    if unigram != nil { return unigram?.append(part, isLast: isLast, body) ?? () }
    let segmenter = segmenter
    let deciding = keepsUnknown ? nil : segmenter.decidingLength
    let text = waiting.take(NormalizedText(bytes: Array(part), startsAtOrigin: true), isLast: isLast) {
      segmenter.cut(in: $0.bytes)
    } waits: { text in
      deciding.map { text.withoutMiddle(behind: $0 + 1) } ?? text
    }
    guard let bytes = text?.bytes else { return }
    for segment in segmenter.segments(of: bytes[...]) { body(segment.id, bytes[segment.range]) }
  }
}

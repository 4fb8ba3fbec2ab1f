/// Text cut into stretches that the model takes one at a time.
struct PreTokenizedText {
  var bytes: [UInt8]
  /// The stretches in order; none is empty.
  var pieces: [Range<Int>]
  /// Whether the first stretch comes from the start of the whole input.
  var startsAtOrigin: Bool
  /// Whether the first stretch goes on what came before, so that nothing is put before it.
  var continues: Bool

  /// The text as one stretch.
  init(_ text: NormalizedText) {
    bytes = text.bytes
    pieces = text.bytes.isEmpty ? [] : [0..<text.bytes.count]
    (startsAtOrigin, continues) = (text.startsAtOrigin, text.continues)
  }

  /// Cuts every stretch again. `cut` appends the parts to keep; empty ones are dropped.
  mutating func cutPieces(_ cut: (Span<UInt8>, Range<Int>, inout PieceList) -> Void) {
    var list = PieceList()
    list.pieces.reserveCapacity(max(pieces.count, bytes.count / 5))
    for piece in pieces { cut(bytes.span, piece, &list) }
    if let first = pieces.first, list.pieces.first?.lowerBound != first.lowerBound { startsAtOrigin = false }
    pieces = list.pieces
    continues = false
  }
}

/// The parts that a cut keeps.
struct PieceList {
  fileprivate(set) var pieces: [Range<Int>] = []

  @inline(__always)
  mutating func append(_ start: Int, _ end: Int) {
    if start < end { pieces.append(start..<end) }
  }

  /// Makes the last part longer.
  mutating func extendLast(to end: Int) {
    guard let last = pieces.last else { return }
    pieces[pieces.count - 1] = last.lowerBound..<end
  }
}

/// A step that cuts text into stretches, or changes them.
protocol PreTokenizer: Sendable {
  func apply(to text: inout PreTokenizedText)
  /// Cuts text, and keeps where its bytes are from.
  /// - Returns: whether that is known.
  func apply(to text: inout PreTokenizedText, _ origins: inout [Range<Int>]) -> Bool
  /// Whether it cuts text; else it only changes it, each character by itself.
  var cuts: Bool { get }
  /// Where text that goes on can be cut: the last place at which a stretch begins, whatever follows; 0 for none.
  func cut(in text: [UInt8]) -> Int
  /// The bytes at the start of text that goes on that are in its first stretch, whatever follows; 0 where that is not known.
  func uncutStart(of text: [UInt8]) -> Int
  /// Changes text that is all in one stretch as the step does beside cutting.
  func change(_ text: inout PreTokenizedText)
  /// Whether it cuts between two characters by what these are, whatever is around them.
  var seesNeighboursAlone: Bool { get }
}

extension PreTokenizer {
  var cuts: Bool { true }

  func uncutStart(of text: [UInt8]) -> Int { cuts ? 0 : text.count }

  func change(_ text: inout PreTokenizedText) { if cuts { text.continues = false } else { apply(to: &text) } }

  var seesNeighboursAlone: Bool { !cuts }
}

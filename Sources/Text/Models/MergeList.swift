import TensorCore

/// The pairs of byte-pair encoding as a file lists them, in order of rank.
struct MergeList: Sendable {
  private var text: [UInt8] = []
  /// Where each piece ends: those of one pair follow each other.
  private var ends: [Int] = []
  private static let version = Array("#version".utf8)

  var count: Int { ends.count / 2 }

  /// Makes room.
  mutating func reserve(pairs: Int, bytes: Int) {
    text.reserveCapacity(bytes)
    ends.reserveCapacity(2 * pairs)
  }

  /// Adds a piece, the first or second of a pair.
  mutating func append(piece: Span<UInt8>) {
    text.append(copying: piece)
    ends.append(text.count)
  }

  /// Adds a pair given as two pieces.
  mutating func append(_ left: Span<UInt8>, _ right: Span<UInt8>) {
    append(piece: left)
    append(piece: right)
  }

  /// Adds a pair given as two pieces with a space between them. Lines that begin with `#version` are left out.
  /// - Throws: ``ApusError`` when there is not one space.
  mutating func append(line: Span<UInt8>) throws(ApusError) {
    if line.hasPrefix(Self.version, at: 0) { return }
    var space: Int?
    for index in line.indices where line[index] == 0x20 {
      guard space == nil else { throw Self.malformed(count) }
      space = index
    }
    guard let space else { throw Self.malformed(count) }
    append(line.extracting(0..<space), line.extracting((space + 1)..<line.count))
  }

  private static func malformed(_ number: Int) -> ApusError {
    ApusError(
      .configuration, "is no pair", expected: "two pieces with one space between them", at: "merge \(number)")
  }

  /// The pairs as ids.
  /// - Parameter continuation: what the second piece of a pair begins with, and the joined piece has not.
  /// - Throws: ``ApusError`` that names the first pair whose pieces are not in the vocabulary.
  func table(in vocabulary: Vocabulary, continuation: String) throws(ApusError) -> MergeTable {
    let continuation = Array(continuation.utf8)
    var table = MergeTable(capacity: count)
    let text = text.span
    var start = 0
    var whole: [UInt8] = []
    // Pairs mostly stand in the order of the pieces that they make.
    var made: Int32 = -1
    for rank in 0..<count {
      let (middle, end) = (ends[2 * rank], ends[2 * rank + 1])
      let (left, right) = (text.extracting(start..<middle), text.extracting(middle..<end))
      guard right.hasPrefix(continuation, at: 0) else {
        throw missing(rank, right, "begins without the mark of a piece inside a word")
      }
      guard let leftID = vocabulary.id(of: left) else { throw unknown(rank, left) }
      guard let rightID = vocabulary.id(of: right) else { throw unknown(rank, right) }
      if continuation.isEmpty {
        let joined = text.extracting(start..<end)
        guard let id = vocabulary.id(of: joined, near: made) else { throw unknown(rank, joined) }
        made = id
      } else {
        whole.removeAll(keepingCapacity: true)
        whole.append(copying: left)
        whole.append(copying: right.extracting(continuation.count..<right.count))
        guard let id = vocabulary.id(of: whole.span, near: made) else { throw unknown(rank, whole.span) }
        made = id
      }
      table.set(leftID, rightID, rank: rank, id: made)
      start = end
    }
    return table
  }

  private func unknown(_ rank: Int, _ piece: Span<UInt8>) -> ApusError {
    missing(rank, piece, "is not in the vocabulary")
  }

  private func missing(_ rank: Int, _ piece: Span<UInt8>, _ what: String) -> ApusError {
    ApusError(
      .configuration, "the piece '\(Vocabulary.shown(piece))' \(what)", at: "model.merges[\(rank)]",
      advice: "The vocabulary and the merges belong to different tokenizers, or a file is incomplete.")
  }
}

import TensorCore

/// The pairs of byte-pair encoding as a file lists them, in order of rank.
struct MergeList: Sendable {
  var text: [UInt8] = []
  /// Where each piece ends: those of one pair follow each other.
  var ends: [Int] = []

  var count: Int { ends.count / 2 }

  /// Adds a pair given as two pieces.
  mutating func append(_ left: Span<UInt8>, _ right: Span<UInt8>) {
    for index in left.indices { text.append(left[index]) }
    ends.append(text.count)
    for index in right.indices { text.append(right[index]) }
    ends.append(text.count)
  }

  /// Adds a pair given as two pieces with a space between them. Lines that begin with `#version` are left out.
  /// - Throws: ``ApusError`` when there is not one space.
  mutating func append(line: Span<UInt8>) throws(ApusError) {
    if line.hasPrefix(Array("#version".utf8), at: 0) { return }
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
    var joined: [UInt8] = []
    for rank in 0..<count {
      let (middle, end) = (ends[2 * rank], ends[2 * rank + 1])
      let (left, right) = (text.extracting(start..<middle), text.extracting(middle..<end))
      guard right.hasPrefix(continuation, at: 0) else {
        throw missing(rank, right, "begins without the mark of a piece inside a word")
      }
      joined.removeAll(keepingCapacity: true)
      for index in left.indices { joined.append(left[index]) }
      for index in continuation.count..<right.count { joined.append(right[index]) }
      let leftID = try id(left, rank, vocabulary)
      let rightID = try id(right, rank, vocabulary)
      table.set(leftID, rightID, rank: rank, id: try id(joined.span, rank, vocabulary))
      start = end
    }
    return table
  }

  private func id(_ piece: Span<UInt8>, _ rank: Int, _ vocabulary: Vocabulary) throws(ApusError) -> Int32 {
    guard let id = vocabulary.id(of: piece) else { throw missing(rank, piece, "is not in the vocabulary") }
    return id
  }

  private func missing(_ rank: Int, _ piece: Span<UInt8>, _ what: String) -> ApusError {
    ApusError(
      .configuration, "the piece '\(Vocabulary.shown(piece))' \(what)", at: "model.merges[\(rank)]",
      advice: "The vocabulary and the merges belong to different tokenizers, or a file is incomplete.")
  }
}

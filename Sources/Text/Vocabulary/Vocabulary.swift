import TensorCore

/// Pieces and their ids, both ways, with all text in one buffer.
package struct Vocabulary: Sendable {
  private var text: [UInt8] = []
  /// Where each piece ends in `text`, in the order of insertion.
  private var ends: [UInt32] = []
  /// The piece of each id, in the order of insertion; -1 for an id without piece.
  private var entries: [Int32] = []
  private var index = PieceIndex(capacity: 0)
  /// The bytes of the longest piece.
  private(set) var longest = 0

  /// Ids may leave gaps, but not so many that the table of ids would be out of proportion to the file.
  static let maximumGap = 1 << 20

  package init() {}

  /// Pieces held.
  package var count: Int { ends.count }
  /// One more than the highest id.
  package var idLimit: Int { entries.count }

  /// Adds a piece.
  /// - Throws: ``ApusError`` when the id is taken or out of proportion, or the piece is there already.
  package mutating func insert(_ piece: Span<UInt8>, id: Int) throws(ApusError) {
    let hash = PieceHash.of(piece)
    let place = place(of: piece, hash)
    guard index.id(at: place) == nil else {
      throw ApusError(.configuration, "the piece '\(Self.shown(piece))' appears twice")
    }
    try append(piece, hash, id: id, at: place)
  }

  /// Adds a piece, or gives the one that is there another id.
  mutating func insertOrReplace(_ piece: Span<UInt8>, id: Int) throws(ApusError) {
    let hash = PieceHash.of(piece)
    let place = place(of: piece, hash)
    guard let former = index.id(at: place) else { return try append(piece, hash, id: id, at: place) }
    let entry = Int(entries[Int(former)])
    entries[Int(former)] = -1
    try claim(id, for: entry, piece)
    index.put(hash, Int32(truncatingIfNeeded: id), at: place)
  }

  private mutating func append(
    _ piece: Span<UInt8>, _ hash: PieceHash, id: Int, at place: Int
  ) throws(ApusError) {
    guard text.count + piece.count < Int(UInt32.max) else {
      throw ApusError(.configuration, "a vocabulary of more than 4 GB")
    }
    try claim(id, for: count, piece)
    appendText(of: piece)
    if index.hasRoom(for: count) {
      index.put(hash, Int32(truncatingIfNeeded: id), at: place)
    } else {
      _ = makeIndex(capacity: 2 * count)
    }
  }

  private mutating func appendText(of piece: Span<UInt8>) {
    text.append(copying: piece)
    ends.append(UInt32(truncatingIfNeeded: text.count))
    longest = max(longest, piece.count)
  }

  private mutating func claim(_ id: Int, for entry: Int, _ piece: Span<UInt8>) throws(ApusError) {
    if claim(id, for: entry) { return }
    if mayBe(id) {
      throw ApusError(.configuration, "the id \(id) is of two pieces, one of them '\(Self.shown(piece))'")
    }
    throw ApusError(
      .configuration, "the piece '\(Self.shown(piece))' has the id \(id)",
      expected: "ids from 0 without wide gaps")
  }

  private func mayBe(_ id: Int) -> Bool {
    id >= 0 && id < count + entries.count + Self.maximumGap && id < Int(Int32.max)
  }

  /// - Returns: false when the id is out of proportion or taken.
  private mutating func claim(_ id: Int, for entry: Int) -> Bool {
    guard mayBe(id) else { return false }
    while entries.count <= id { entries.append(-1) }
    guard entries[id] < 0 else { return false }
    entries[id] = Int32(truncatingIfNeeded: entry)
    return true
  }

  /// - Returns: false when two pieces are equal.
  private mutating func makeIndex(capacity: Int) -> Bool {
    var index = PieceIndex(capacity: capacity)
    for id in Int32(0)..<Int32(truncatingIfNeeded: entries.count) {
      guard let range = range(of: id) else { continue }
      let piece = text.span.extracting(range)
      let hash = PieceHash.of(piece)
      let place = index.place(of: hash) { isPiece($0, piece) }
      guard index.id(at: place) == nil else { return false }
      index.put(hash, id, at: place)
    }
    self.index = index
    return true
  }

  static func shown(_ piece: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<min(piece.count, 60) { bytes.append(piece[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Many pieces at once.
extension Vocabulary {
  /// Makes room.
  mutating func reserve(pieces: Int, bytes: Int) {
    text.reserveCapacity(bytes)
    ends.reserveCapacity(pieces)
    entries.reserveCapacity(pieces)
  }

  /// Adds a piece that is found only once all are there.
  /// - Returns: false when the id is taken or out of proportion.
  mutating func add(_ piece: Span<UInt8>, id: Int) -> Bool {
    guard text.count + piece.count < Int(UInt32.max), claim(id, for: count) else { return false }
    appendText(of: piece)
    return true
  }

  /// Makes pieces found that were added.
  /// - Returns: false when two are equal, or one is not UTF-8.
  mutating func finish() -> Bool {
    guard text.span.isUTF8 else { return false }
    // Text that is UTF-8 as a whole is so in parts that begin with a character.
    var start = 0
    for end in ends {
      if start < text.count, text[start] & 0xC0 == 0x80 { return false }
      start = Int(end)
    }
    return makeIndex(capacity: count)
  }
}

extension Vocabulary {
  /// Where the piece of an id is in `text`.
  @inline(__always)
  private func range(of id: Int32) -> Range<Int>? {
    guard id >= 0, Int(id) < entries.count, entries[Int(id)] >= 0 else { return nil }
    let entry = Int(entries[Int(id)])
    return (entry > 0 ? Int(ends[entry - 1]) : 0)..<Int(ends[entry])
  }

  @inline(__always)
  private func isPiece(_ id: Int32, _ piece: Span<UInt8>) -> Bool {
    guard let range = range(of: id), range.count == piece.count else { return false }
    return text.span.extracting(range).isEqual(to: piece)
  }

  @inline(__always)
  private func place(of piece: Span<UInt8>, _ hash: PieceHash) -> Int {
    index.place(of: hash) { isPiece($0, piece) }
  }

  /// The id of the piece that is `prefix` and then `body[range]`, where `hash` is the hash of both.
  @inline(__always)
  func id(_ hash: PieceHash, prefix: [UInt8], _ body: Span<UInt8>, _ range: Range<Int>) -> Int32? {
    let place = index.place(of: hash) { id in
      guard let place = self.range(of: id) else { return false }
      for index in prefix.indices where text[place.lowerBound + index] != prefix[index] { return false }
      let shift = place.lowerBound + prefix.count - range.lowerBound
      for index in range where text[shift + index] != body[index] { return false }
      return true
    }
    return index.id(at: place)
  }

  /// The id of a piece.
  package func id(of piece: Span<UInt8>) -> Int32? { index.id(at: place(of: piece, PieceHash.of(piece))) }

  /// The id of a piece, which is looked for first at an id, and the next, where pieces come in their order.
  func id(of piece: Span<UInt8>, near guess: Int32) -> Int32? {
    if isPiece(guess, piece) { return guess }
    if isPiece(guess &+ 1, piece) { return guess &+ 1 }
    return id(of: piece)
  }

  package func id(of piece: String) -> Int32? { id(of: Array(piece.utf8).span) }

  /// The bytes of the piece of an id.
  package func bytes(of id: Int32) -> ArraySlice<UInt8>? { range(of: id).map { text[$0] } }

  package func piece(of id: Int32) -> String? { bytes(of: id).map { String(decoding: $0, as: UTF8.self) } }
}

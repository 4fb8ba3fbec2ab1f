import TensorCore

/// Pieces and their ids, both ways, with all text in one buffer.
package struct Vocabulary: Sendable {
  private var text: [UInt8] = []
  /// Where each piece ends in `text`, in the order of insertion.
  private var ends: [UInt32] = []
  private var ids: [Int32] = []
  /// The piece of each id, in the order of insertion; -1 for an id without piece.
  private var entries: [Int32] = []
  /// Open addressing: the high half of the hash, and the number of the piece plus one; 0 is free.
  private var slots: [UInt64] = [0]
  /// The bytes of the longest piece.
  private(set) var longest = 0

  /// Ids may leave gaps, but not so many that the table of ids would be out of proportion to the file.
  static let maximumGap = 1 << 20

  package init(minimumCapacity: Int = 0) {
    let capacity = min(minimumCapacity, 1 << 24)
    ids.reserveCapacity(capacity)
    ends.reserveCapacity(capacity)
    entries.reserveCapacity(capacity)
    var slotCount = 16
    while slotCount < 2 * capacity { slotCount *= 2 }
    slots = Array(repeating: 0, count: slotCount)
  }

  /// Pieces held.
  package var count: Int { ids.count }
  /// One more than the highest id.
  package var idLimit: Int { entries.count }

  /// Adds a piece.
  /// - Throws: ``ApusError`` when the id is taken or out of proportion, or the piece is there already.
  package mutating func insert(_ piece: Span<UInt8>, id: Int) throws(ApusError) {
    guard find(piece) == nil else {
      throw ApusError(.configuration, "the piece '\(Self.shown(piece))' appears twice")
    }
    try append(piece, id: id)
  }

  /// Adds a piece, or gives the one that is there another id.
  mutating func insertOrReplace(_ piece: Span<UInt8>, id: Int) throws(ApusError) {
    guard let entry = find(piece) else { return try append(piece, id: id) }
    entries[Int(ids[entry])] = -1
    try claim(id, for: entry, piece)
    ids[entry] = Int32(truncatingIfNeeded: id)
  }

  private mutating func append(_ piece: Span<UInt8>, id: Int) throws(ApusError) {
    guard text.count + piece.count < Int(UInt32.max) else {
      throw ApusError(.configuration, "a vocabulary of more than 4 GB")
    }
    try claim(id, for: ids.count, piece)
    for index in piece.indices { text.append(piece[index]) }
    ends.append(UInt32(text.count))
    ids.append(Int32(truncatingIfNeeded: id))
    longest = max(longest, piece.count)
    if 2 * ids.count > slots.count { grow() } else { place(Hash.of(piece), ids.count) }
  }

  private mutating func claim(_ id: Int, for entry: Int, _ piece: Span<UInt8>) throws(ApusError) {
    guard id >= 0, id < ids.count + entries.count + Self.maximumGap, id < Int(Int32.max) else {
      throw ApusError(
        .configuration, "the piece '\(Self.shown(piece))' has the id \(id)",
        expected: "ids from 0 without wide gaps")
    }
    while entries.count <= id { entries.append(-1) }
    guard entries[id] < 0 else {
      throw ApusError(.configuration, "the id \(id) is of two pieces, one of them '\(Self.shown(piece))'")
    }
    entries[id] = Int32(truncatingIfNeeded: entry)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: 2 * slots.count)
    var start = 0
    for (index, end) in ends.enumerated() {
      place(Hash.of(text.span.extracting(start..<Int(end))), index + 1)
      start = Int(end)
    }
  }

  private mutating func place(_ hash: Hash, _ number: Int) {
    let mask = slots.count - 1
    var slot = hash.slot & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = hash.tag | UInt64(number)
  }

  static func shown(_ piece: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<min(piece.count, 60) { bytes.append(piece[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Vocabulary {
  /// The hash of bytes, which can be continued with more bytes.
  struct Hash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in a byte (FNV-1a).
    @inline(__always)
    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    @inline(__always)
    private var mixed: UInt64 {
      let folded = (state ^ state >> 32) &* 0x9E37_79B9_7F4A_7C15
      return folded ^ folded >> 29
    }
    @inline(__always)
    var slot: Int { Int(truncatingIfNeeded: mixed & 0x7FFF_FFFF) }
    @inline(__always)
    var tag: UInt64 { mixed & 0xFFFF_FFFF_0000_0000 }

    @inline(__always)
    static func of(_ piece: Span<UInt8>) -> Hash {
      var hash = Hash()
      for index in piece.indices { hash.add(piece[index]) }
      return hash
    }
  }

  /// The number of the entry with this hash for which `matches` holds of its bytes.
  @inline(__always)
  private func entry(_ hash: Hash, _ matches: (Int, Int) -> Bool) -> Int? {
    let mask = slots.count - 1
    let (tag, first) = (hash.tag, hash.slot & mask)
    var slot = first
    while slots[slot] != 0 {
      if slots[slot] & 0xFFFF_FFFF_0000_0000 == tag {
        let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if matches(number > 0 ? Int(ends[number - 1]) : 0, Int(ends[number])) { return number }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func find(_ piece: Span<UInt8>) -> Int? {
    entry(Hash.of(piece)) { start, end in
      guard end - start == piece.count else { return false }
      for index in 0..<piece.count where text[start + index] != piece[index] { return false }
      return true
    }
  }

  /// The id of the piece that is `prefix` and then `body[range]`, where `hash` is the hash of both.
  @inline(__always)
  func id(_ hash: Hash, prefix: [UInt8], _ body: Span<UInt8>, _ range: Range<Int>) -> Int32? {
    let entry = entry(hash) { start, end in
      guard end - start == prefix.count + range.count else { return false }
      for index in prefix.indices where text[start + index] != prefix[index] { return false }
      let shift = start + prefix.count - range.lowerBound
      for index in range where text[shift + index] != body[index] { return false }
      return true
    }
    return entry.map { ids[$0] }
  }

  /// The id of a piece.
  package func id(of piece: Span<UInt8>) -> Int32? { find(piece).map { ids[$0] } }

  package func id(of piece: String) -> Int32? { id(of: Array(piece.utf8).span) }

  /// The bytes of the piece of an id.
  package func bytes(of id: Int32) -> ArraySlice<UInt8>? {
    guard id >= 0, Int(id) < entries.count, entries[Int(id)] >= 0 else { return nil }
    let entry = Int(entries[Int(id)])
    return text[(entry > 0 ? Int(ends[entry - 1]) : 0)..<Int(ends[entry])]
  }

  package func piece(of id: Int32) -> String? { bytes(of: id).map { String(decoding: $0, as: UTF8.self) } }
}

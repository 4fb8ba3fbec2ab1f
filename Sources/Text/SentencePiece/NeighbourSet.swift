/// Which two characters stand side by side in some piece, with false positives but no false negatives.
struct NeighbourSet: Sendable {
  private var bits: [UInt64]
  private let shift: UInt64

  init(of pieces: PieceTable) {
    let total = (0..<pieces.count).reduce(0) { $0 + pieces.length(of: $1) }
    // Eight bits for each pair of bytes keep false positives under one in ten.
    var width: UInt64 = 12
    while width < 26, 1 << width < total * 8 { width += 1 }
    shift = 64 - width
    bits = Array(repeating: 0, count: 1 << (width - 6))
    for id in 0..<pieces.count {
      let piece = pieces[id]
      for at in piece.indices.dropFirst() where piece[at] & 0xc0 != 0x80 {
        let place = place(piece, at)
        bits[place >> 6] |= 1 << UInt64(place & 63)
      }
    }
  }

  /// Whether a piece may hold the characters before and after the offset `at`.
  @inline(__always)
  func mayContain(_ text: ArraySlice<UInt8>, _ at: Int) -> Bool {
    guard at > text.startIndex else { return false }
    let place = place(text, at)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  /// The bit of the characters that end and begin at `at`.
  @inline(__always)
  private func place(_ text: ArraySlice<UInt8>, _ at: Int) -> Int {
    var key: UInt64 = 0
    var start = at - 1
    while start > text.startIndex, text[start] & 0xc0 == 0x80 { start -= 1 }
    let end = min(at + UTF8Bytes.length(lead: text[at]), text.endIndex)
    for index in start..<end { key = key << 8 | UInt64(text[index]) }
    return Int(truncatingIfNeeded: ((key &+ 1) &* 0x9e37_79b9_7f4a_7c15) >> shift)
  }
}

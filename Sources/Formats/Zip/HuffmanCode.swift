/// A canonical Huffman code: shorter codes come first, and codes of one length count up in symbol order.
struct HuffmanCode {
  /// The longest code of DEFLATE, in bits.
  static let longest = 15

  /// How many codes have each length.
  private let counts: [Int]
  /// The symbols in the order of their codes.
  private let symbols: [Int]

  /// The code whose symbols have these lengths, 0 for symbols not in use; nil when there are more codes than
  /// the lengths leave room for.
  init?(lengths: [UInt8]) {
    var room = 1
    self.init(sound: lengths)
    for count in counts.dropFirst() {
      room = room * 2 - count
      if room < 0 { return nil }
    }
  }

  /// The code of lengths that are known to leave room; each is at most ``longest``.
  init(sound lengths: [UInt8]) {
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    self.counts = counts
    symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted {
      (lengths[$0], $0) < (lengths[$1], $1)
    }
  }

  /// How far into a code the bits so far have led.
  struct Walk {
    fileprivate var length = 0
    /// The bits so far, less the first code of their length.
    fileprivate var offset = 0
    /// The symbols with shorter codes.
    fileprivate var index = 0
  }

  /// Takes one more bit; the symbol when the code is complete.
  func advance(_ walk: inout Walk, bit: Int) -> Int? {
    walk.length += 1
    walk.offset = walk.offset * 2 + bit
    let count = counts[walk.length]
    if walk.offset < count { return symbols[walk.index + walk.offset] }
    walk.offset -= count
    walk.index += count
    return nil
  }
}

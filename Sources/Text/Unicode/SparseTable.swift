/// A number for every code point, in blocks of 256; code points without one share a block of zeros.
struct SparseTable: Sendable {
  private var blocks: [UInt16]
  private var values: [UInt16]

  init() {
    blocks = Array(repeating: 0, count: 0x110000 >> 8)
    values = Array(repeating: 0, count: 256)
  }

  /// The number of a code point; 0 for what is none.
  @inline(__always)
  subscript(_ codePoint: UInt32) -> UInt16 {
    let block = Int(codePoint >> 8)
    guard block < blocks.count else { return 0 }
    return values[Int(blocks[block]) << 8 | Int(codePoint & 0xFF)]
  }

  /// Sets bits of the numbers of a range of code points.
  mutating func insert(_ bits: UInt16, for range: ClosedRange<UInt32>) {
    for codePoint in range where codePoint < 0x110000 {
      let block = Int(codePoint >> 8)
      if blocks[block] == 0 {
        blocks[block] = UInt16(truncatingIfNeeded: values.count >> 8)
        values.append(contentsOf: repeatElement(0, count: 256))
      }
      values[Int(blocks[block]) << 8 | Int(codePoint & 0xFF)] |= bits
    }
  }
}

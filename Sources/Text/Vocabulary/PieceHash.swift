/// The hash of a piece, which can be continued with more bytes: of up to eight bytes those themselves, so that short pieces
/// are found without a look at their text.
struct PieceHash {
  private(set) var count = 0
  /// The last one to eight bytes, the first of them lowest.
  private var block: UInt64 = 0
  /// The hash of all blocks before the last.
  private var state: UInt64 = 0

  /// Whether ``value`` and ``count`` are of one piece only.
  @inline(__always)
  var isExact: Bool { count <= 8 }

  @inline(__always)
  var value: UInt64 { isExact ? block : Self.mixed(state, block) }

  /// Takes in a byte.
  @inline(__always)
  mutating func add(_ byte: UInt8) {
    if count & 7 == 0, count > 0 {
      state = Self.mixed(state, block)
      block = 0
    }
    block |= UInt64(byte) &<< (UInt64(truncatingIfNeeded: count & 7) &* 8)
    count &+= 1
  }

  @inline(__always)
  static func of(_ piece: Span<UInt8>) -> PieceHash {
    var hash = PieceHash()
    var start = 0
    while piece.count - start > 8 {
      hash.state = mixed(hash.state, piece.word(at: start))
      start += 8
    }
    hash.block = piece.lastWord(from: start)
    hash.count = piece.count
    return hash
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ block: UInt64) -> UInt64 {
    let product = (state ^ block) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}

extension Span<UInt8> {
  /// Eight bytes, the first of them lowest.
  @inline(__always)
  func word(at position: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The bytes from `start` on, at most eight, the first of them lowest.
  @inline(__always)
  func lastWord(from start: Int) -> UInt64 {
    let left = count - start
    if left == 8 { return word(at: start) }
    if left >= 4 {
      // Both halves, which may share bytes.
      let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
      let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      let shift = UInt64(8 &* (left - 4))
      return UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high)) &<< shift
    }
    var word: UInt64 = 0
    for index in 0..<left { word |= UInt64(self[start + index]) &<< UInt64(8 &* index) }
    return word
  }

  var isUTF8: Bool {
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }

  /// Whether all bytes are those of another.
  @inline(__always)
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var start = 0
    while count - start > 8 {
      guard word(at: start) == other.word(at: start) else { return false }
      start += 8
    }
    return lastWord(from: start) == other.lastWord(from: start)
  }
}

extension [UInt8] {
  /// Appends bytes.
  @inline(__always)
  mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

/// The digest that `Tools/fixtures/images/make.py` defines, for results made of parts.
struct PictureDigest {
  private var pending: [UInt8] = []

  mutating func add<Element: BitwiseCopyable>(_ elements: [Element]) {
    elements.withUnsafeBytes { pending.append(contentsOf: $0) }
  }

  /// h = h × M + word over little-endian 64-bit words, zero-padded, then the length; the upper 48 bits.
  var text: String {
    var hash: UInt64 = 0
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    pending.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        hash =
          hash &* multiplier
          &+ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      guard offset < bytes.count else { return }
      var last: UInt64 = 0
      for index in (offset..<bytes.count).reversed() { last = last << 8 | UInt64(bytes[index]) }
      hash = hash &* multiplier &+ last
    }
    hash = hash &* multiplier &+ UInt64(pending.count)
    let digits = String(hash >> 16, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  static func of<Element: BitwiseCopyable>(_ elements: [Element]) -> String {
    var digest = PictureDigest()
    digest.add(elements)
    return digest.text
  }
}

import CLibrary

/// SHA-256 (FIPS 180-4), by which browsers know the scripts and styles that a page may have.
enum SHA256 {
  /// The digest of bytes, 32 of them.
  static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bits = UInt64(message.count) &* 8
    message.append(0x80)
    message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
    message += (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    var state = initial
    for start in stride(from: 0, to: message.count, by: 64) { add(message[start..<(start + 64)], to: &state) }
    return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let small = rotated(a, 7) ^ rotated(a, 18) ^ (a >> 3)
      let large = rotated(b, 17) ^ rotated(b, 19) ^ (b >> 10)
      words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let first =
        h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ rounds[index] &+ words[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let primes: [Double] = (2...311).filter { number in
    !(2..<number).contains { number.isMultiple(of: $0) }
  }.map(Double.init)

  // The first 32 bits behind the point of primes' roots: a double has 50 of them.
  private static let initial = primes.prefix(8).map { fraction($0.squareRoot()) }
  private static let rounds = primes.map { fraction(cbrt($0)) }

  private static func fraction(_ root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 0x1p32)
  }
}

import TensorCore

/// The replacement rules that a sentencepiece model carries, such as those of NFKC, as `spiece.model` and
/// `tokenizer.json` store them: four bytes of length, a double-array tree of that many bytes over the
/// strings to replace, and the replacements, each ended by NUL.
///
/// The units of the tree are those of Darts-clone (Yata): bits 0…7 the label, bit 8 whether a leaf hangs
/// below, bits 9…31 the offset to the children; a leaf has bit 31 set and its value below.
package struct PrecompiledCharacterMap: Sendable {
  private let units: [UInt32]
  /// What rules make of text, each ended by NUL.
  package let replacements: [UInt8]

  /// - Throws: ``ApusError`` naming the byte where the map breaks its format.
  package init(_ bytes: [UInt8]) throws(ApusError) {
    guard bytes.count > 4 else {
      throw Self.malformed("the map has \(bytes.count) bytes", "a length, a tree and replacements", 0)
    }
    let size = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << ($1 * 8) }
    guard size >= 1024, size % 1024 == 0, size < bytes.count - 4 else {
      throw Self.malformed(
        "the tree has \(size) bytes", "a multiple of 1024, and less than the \(bytes.count - 4) that follow",
        0)
    }
    var units: [UInt32] = []
    units.reserveCapacity(size / 4)
    for at in stride(from: 4, to: 4 + size, by: 4) {
      let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
      units.append(low | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24)
    }
    self.units = units
    replacements = Array(bytes[(4 + size)...])
    guard replacements.last == 0, UTF8Bytes.isValid(replacements[...]) else {
      throw Self.malformed("the replacements are not well-formed UTF-8 ended by NUL", nil, 4 + size)
    }
    try verify()
  }

  /// Checks every unit, so that no walk can leave the array and no value points inside a character.
  private func verify() throws(ApusError) {
    guard !Self.isLeaf(units[0]) else { throw Self.malformed("the root of the tree is a leaf", "a node", 4) }
    for (index, unit) in units.enumerated() {
      if Self.isLeaf(unit) {
        let start = Int(unit & 0x7fff_ffff)
        guard start < replacements.count, replacements[start] & 0xc0 != 0x80 else {
          throw Self.malformed(
            "a rule points at \(start)", "a character of the \(replacements.count) bytes of replacements",
            4 + index * 4)
        }
      } else {
        let children = index ^ Self.offset(unit)
        guard children | 0xff < units.count else {
          throw Self.malformed(
            "a node has its children at \(children)", "a place in a tree of \(units.count) units",
            4 + index * 4)
        }
      }
    }
  }

  private static func malformed(_ problem: String, _ expected: String?, _ offset: Int) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: "precompiled_charsmap: byte \(offset)")
  }

  @inline(__always)
  private static func isLeaf(_ unit: UInt32) -> Bool { unit >> 31 == 1 }

  @inline(__always)
  private static func offset(_ unit: UInt32) -> Int {
    Int(truncatingIfNeeded: unit >> 10) << Int(truncatingIfNeeded: (unit & (1 << 9)) >> 6)
  }

  /// Whether a rule is for `byte` alone, or for text that begins with it and goes on with an ASCII character.
  package func hasRule(for byte: UInt8) -> Bool {
    let child = Self.offset(units[0]) ^ Int(byte)
    guard byte != 0, units[child] & 0x8000_00ff == UInt32(byte) else { return false }
    let node = child ^ Self.offset(units[child])
    return units[child] & 0x100 != 0
      || (1..<0x80).contains { units[node ^ $0] & 0x8000_00ff == UInt32($0) }
  }

  /// What the shortest rule that applies at the start of `text` makes of its bytes.
  package func shortestReplacement(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    match(text.span, at: 0, wantsLongest: false).map { replacements[$0.replacement] }
  }

  /// The longest rule that applies at a place of `text`, and what it makes of so many bytes as a range of ``replacements``.
  @inline(__always)
  package func longestMatch(_ text: Span<UInt8>, at start: Int) -> (length: Int, replacement: Range<Int>)? {
    match(text, at: start, wantsLongest: true)
  }

  /// Whether a rule may go on beyond the end of a text.
  func seesEnd(of text: Span<UInt8>, at start: Int) -> Bool {
    let units = units.span
    var node = Self.offset(units[0])
    for index in start..<text.count {
      let byte = text[index]
      guard byte != 0 else { return false }
      node ^= Int(byte)
      guard units[node] & 0x8000_00ff == UInt32(byte) else { return false }
      node ^= Self.offset(units[node])
    }
    return true
  }

  @inline(__always)
  private func match(
    _ text: Span<UInt8>, at start: Int, wantsLongest: Bool
  ) -> (length: Int, replacement: Range<Int>)? {
    let units = units.span
    var found: (length: Int, start: Int)?
    var node = Self.offset(units[0])
    for index in start..<text.count {
      let byte = text[index]
      // No rule has a NUL; the unit there would be the leaf.
      guard byte != 0 else { break }
      node ^= Int(byte)
      let unit = units[node]
      guard unit & 0x8000_00ff == UInt32(byte) else { break }
      node ^= Self.offset(unit)
      if unit & 0x100 != 0, Self.isLeaf(units[node]) {
        found = (index - start + 1, Int(units[node] & 0x7fff_ffff))
        if !wantsLongest { break }
      }
    }
    guard let found else { return nil }
    let bytes = replacements.span
    var end = found.start
    while end < bytes.count, bytes[end] != 0 { end += 1 }
    return (found.length, found.start..<end)
  }
}

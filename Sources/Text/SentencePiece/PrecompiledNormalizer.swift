/// The normalizer `Precompiled` of the `tokenizers` library, which applies a character map in its own way.
///
/// Of each extended grapheme cluster of under six bytes, the shortest rule that applies at its start
/// replaces the whole cluster. Otherwise each character is replaced by the rule that applies to it.
package struct PrecompiledNormalizer: Sendable {
  /// Clusters of this many bytes and more are taken character by character.
  private static let clusterLimit = 6

  private let map: PrecompiledCharacterMap
  /// Whether an ASCII character by itself stays as it is.
  private let isPlain: [Bool]

  package init(_ map: PrecompiledCharacterMap) {
    self.map = map
    isPlain = (0...255).map { (byte: UInt8) in byte < 0x80 && map.shortestReplacement([byte]) == nil }
  }

  /// The text, well-formed UTF-8, with the rules applied.
  package func normalize(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    forEachPart(of: text) { part, replacement in
      if let replacement {
        result.append(contentsOf: replacement)
      } else if part.count == 1 {
        result.append(text[part.lowerBound])
      } else {
        result.append(contentsOf: text[part])
      }
    }
    return result
  }

  /// The characters of the text with the rules applied, and what each is from.
  func changes(of text: [UInt8]) -> [CharacterChange] {
    var changes: [CharacterChange] = []
    forEachPart(of: text) { part, replacement in
      let first = changes.count
      let characters = replacement ?? text[part]
      characters.span.forEachScalar { changes.append(CharacterChange($0)) }
      let difference = changes.count - first - text[part].count { $0 & 0xC0 != 0x80 }
      if difference > 0 {
        for index in (changes.count - difference)..<changes.count { changes[index].count = 1 }
      } else if !changes.isEmpty {
        changes[changes.count - 1].count += difference
      }
    }
    return changes
  }

  /// Calls `body` with the place of each cluster or character, and what replaces it; nil where it stays as it is.
  @inline(__always)
  private func forEachPart(of text: [UInt8], _ body: (Range<Int>, ArraySlice<UInt8>?) -> Void) {
    let (source, isPlain) = (text.span, isPlain.span)
    var start = 0
    while start < source.count {
      if isPlain[Int(source[start])], start + 1 == source.count || source[start + 1] < 0x80 {
        body(start..<(start + 1), nil)
        start += 1
        continue
      }
      let end = stretchEnd(text, from: start)
      if end == start + 1 {
        body(start..<end, map.shortestReplacement(text[start..<end]))
      } else {
        forEachPart(ofClusters: text[start..<end], body)
      }
      start = end
    }
  }

  /// The end of the shortest stretch that surely begins and ends with a cluster: two ASCII characters,
  /// other than CR LF, are never in one.
  private func stretchEnd(_ text: [UInt8], from start: Int) -> Int {
    var end = start + 1
    while end < text.count {
      let (last, next) = (text[end - 1], text[end])
      if last | next < 0x80, last != 0x0d || next != 0x0a { break }
      end += 1
    }
    return end
  }

  private func forEachPart(
    ofClusters text: ArraySlice<UInt8>, _ body: (Range<Int>, ArraySlice<UInt8>?) -> Void
  ) {
    var start = text.startIndex
    for cluster in String(decoding: text, as: UTF8.self) {
      let end = start + cluster.utf8.count
      let bytes = text[start..<end]
      start = end
      if bytes.count < Self.clusterLimit, let replacement = map.shortestReplacement(bytes) {
        body(bytes.indices, replacement)
      } else {
        forEachPart(ofCharacters: bytes, body)
      }
    }
  }

  private func forEachPart(
    ofCharacters text: ArraySlice<UInt8>, _ body: (Range<Int>, ArraySlice<UInt8>?) -> Void
  ) {
    var rest = text
    while let lead = rest.first {
      let character = rest.prefix(UTF8Bytes.length(lead: lead))
      body(character.indices, map.shortestReplacement(character))
      rest = rest.dropFirst(character.count)
    }
  }
}

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
    let (source, isPlain) = (text.span, isPlain.span)
    var start = 0
    while start < source.count {
      if isPlain[Int(source[start])], start + 1 == source.count || source[start + 1] < 0x80 {
        result.append(source[start])
        start += 1
        continue
      }
      let end = stretchEnd(text, from: start)
      if end == start + 1 {
        appendCharacter(text[start..<end], to: &result)
      } else {
        appendClusters(text[start..<end], to: &result)
      }
      start = end
    }
    return result
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

  private func appendClusters(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var start = text.startIndex
    for cluster in String(decoding: text, as: UTF8.self) {
      let end = start + cluster.utf8.count
      let bytes = text[start..<end]
      start = end
      if bytes.count < Self.clusterLimit, let replacement = map.shortestReplacement(bytes) {
        result.append(contentsOf: replacement)
      } else {
        appendCharacters(bytes, to: &result)
      }
    }
  }

  private func appendCharacters(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var rest = text
    while let lead = rest.first {
      let length = UTF8Bytes.length(lead: lead)
      appendCharacter(rest.prefix(length), to: &result)
      rest = rest.dropFirst(length)
    }
  }

  private func appendCharacter(_ character: ArraySlice<UInt8>, to result: inout [UInt8]) {
    result.append(contentsOf: map.shortestReplacement(character) ?? character)
  }
}

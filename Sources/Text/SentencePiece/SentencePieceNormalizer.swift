import TensorCore

/// The changes that the sentencepiece library makes to text before it is cut: the longest rule of the
/// character map at each place, malformed UTF-8 to U+FFFD, spaces to U+2581.
package struct SentencePieceNormalizer: Sendable {
  private let specification: SentencePieceNormalizerSpecification
  private let map: PrecompiledCharacterMap?
  private let userDefined: UserDefinedPieces
  private let addsSuffix: Bool
  private let space: [UInt8]
  /// Whether an ASCII character before another one stays as it is, but for what becomes of spaces.
  private let isPlain: [Bool]

  /// - Parameters:
  ///   - userDefined: pieces that are kept as they are.
  ///   - treatsSpaceAsSuffix: whether the dummy prefix goes to the end.
  package init(
    _ specification: SentencePieceNormalizerSpecification, userDefined: UserDefinedPieces = .init(),
    treatsSpaceAsSuffix: Bool = false
  ) throws(ApusError) {
    let map =
      specification.characterMap.isEmpty ? nil : try PrecompiledCharacterMap(specification.characterMap)
    self.map = map
    self.specification = specification
    self.userDefined = userDefined
    addsSuffix = treatsSpaceAsSuffix
    space = specification.escapesSpaces ? UTF8Bytes.spaceMark : [0x20]
    isPlain = (0...255).map { (byte: UInt8) in
      byte < 0x80 && map?.hasRule(for: byte) != true && !userDefined.hasPiece(startingWith: byte)
    }
  }

  /// The text, any bytes, as it is to be cut; well-formed UTF-8.
  package func normalize(_ text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    if specification.removesExtraSpaces {
      while case let (prefix, length) = normalizedPrefix(rest), prefix.elementsEqual([0x20]) {
        rest = rest.dropFirst(length)
      }
    }
    guard !rest.isEmpty else { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(rest.count + rest.count / 4 + space.count)
    if specification.addsDummyPrefix, !addsSuffix { result.append(contentsOf: space) }
    appendBody(rest, to: &result)
    if specification.removesExtraSpaces {
      while result.suffix(space.count).elementsEqual(space) { result.removeLast(space.count) }
    }
    if specification.addsDummyPrefix, addsSuffix { result.append(contentsOf: space) }
    return result
  }

  private func appendBody(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    let removesSpaces = specification.removesExtraSpaces
    var afterSpace = removesSpaces
    let (source, isPlain, space) = (text.span, isPlain.span, space.span)
    var at = 0
    while at < source.count {
      let byte = source[at]
      if isPlain[Int(byte)], at + 1 == source.count || source[at + 1] < 0x80 {
        at += 1
        let isSpace = byte == 0x20
        if !isSpace {
          result.append(byte)
        } else if !afterSpace {
          for index in space.indices { result.append(space[index]) }
        }
        afterSpace = isSpace && removesSpaces
        continue
      }
      var (prefix, length) = normalizedPrefix(text[(text.startIndex + at)...])
      at += length
      if afterSpace { prefix = prefix.drop { $0 == 0x20 } }
      for byte in prefix {
        if byte == 0x20 { result.append(contentsOf: self.space) } else { result.append(byte) }
      }
      if let last = prefix.last { afterSpace = last == 0x20 && removesSpaces }
    }
  }

  /// What the beginning of `text` becomes, and how many bytes that beginning has: 0 at the end.
  private func normalizedPrefix(_ text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int) {
    guard !text.isEmpty else { return ([], 0) }
    if let length = userDefined.longestMatch(text) { return (text.prefix(length), length) }
    if let match = map?.longestMatch(text) { return (match.replacement, match.length) }
    guard let length = UTF8Bytes.validLength(text) else { return (UTF8Bytes.replacement[...], 1) }
    return (text.prefix(length), length)
  }
}

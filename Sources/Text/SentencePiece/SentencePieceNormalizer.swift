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
    let mapped = map?.replacements ?? []
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
      if userDefined.hasPiece(startingWith: byte),
        let length = userDefined.longestMatch(text[(text.startIndex + at)...])
      {
        append(source, at..<(at + length), to: &result, &afterSpace)
        at += length
      } else if let match = map?.longestMatch(source, at: at) {
        append(mapped.span, match.replacement, to: &result, &afterSpace)
        at += match.length
      } else if let length = UTF8Bytes.validLength(source, at: at) {
        append(source, at..<(at + length), to: &result, &afterSpace)
        at += length
      } else {
        append(UTF8Bytes.replacement.span, 0..<UTF8Bytes.replacement.count, to: &result, &afterSpace)
        at += 1
      }
    }
  }

  /// Appends what some of the text became, without spaces at its start where they follow another.
  @inline(__always)
  private func append(
    _ bytes: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8], _ afterSpace: inout Bool
  ) {
    var start = range.lowerBound
    while afterSpace, start < range.upperBound, bytes[start] == 0x20 { start += 1 }
    guard start < range.upperBound else { return }
    for index in start..<range.upperBound {
      if bytes[index] == 0x20 { result += space } else { result.append(bytes[index]) }
    }
    afterSpace = bytes[range.upperBound - 1] == 0x20 && specification.removesExtraSpaces
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

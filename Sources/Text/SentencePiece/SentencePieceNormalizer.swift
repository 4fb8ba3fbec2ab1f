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
    var start = 0
    if specification.removesExtraSpaces {
      while start < text.count, case let prefix = prefix(of: text, at: start), isSpace(prefix, text) {
        start += prefix.length
      }
    }
    guard start < text.count else { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 4 + space.count)
    if specification.addsDummyPrefix, !addsSuffix { result.append(contentsOf: space) }
    appendBody(text, from: start, to: &result)
    if specification.removesExtraSpaces {
      while result.suffix(space.count).elementsEqual(space) { result.removeLast(space.count) }
    }
    if specification.addsDummyPrefix, addsSuffix { result.append(contentsOf: space) }
    return result
  }

  private func appendBody(_ text: [UInt8], from start: Int, to result: inout [UInt8]) {
    let removesSpaces = specification.removesExtraSpaces
    var afterSpace = removesSpaces
    let (source, isPlain, space) = (text.span, isPlain.span, space.span)
    let replacements = map?.replacements ?? []
    var at = start
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
      let prefix = prefix(of: text, at: at)
      switch prefix.origin {
      case .text: append(source, prefix.range, to: &result, &afterSpace)
      case .rules: append(replacements.span, prefix.range, to: &result, &afterSpace)
      case .malformed:
        // Without optimisation the span of a global outlives what it is of.
        let replacement = UTF8Bytes.replacement
        append(replacement.span, prefix.range, to: &result, &afterSpace)
      }
      at += prefix.length
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

  /// What the beginning of a text becomes: some of the text itself, of what rules make, or U+FFFD; and how many bytes that
  /// beginning has.
  private typealias Prefix = (origin: Origin, range: Range<Int>, length: Int)
  private enum Origin { case text, rules, malformed }

  @inline(__always)
  private func prefix(of text: [UInt8], at start: Int) -> Prefix {
    let source = text.span
    if userDefined.hasPiece(startingWith: source[start]),
      let length = userDefined.longestMatch(text[start...])
    {
      return (.text, start..<(start + length), length)
    }
    if let match = map?.longestMatch(source, at: start) { return (.rules, match.replacement, match.length) }
    if let length = UTF8Bytes.validLength(source, at: start) {
      return (.text, start..<(start + length), length)
    }
    return (.malformed, 0..<UTF8Bytes.replacement.count, 1)
  }

  private func isSpace(_ prefix: Prefix, _ text: [UInt8]) -> Bool {
    guard prefix.range.count == 1 else { return false }
    let bytes = prefix.origin == .text ? text : map?.replacements ?? []
    return bytes[prefix.range.lowerBound] == 0x20
  }
}

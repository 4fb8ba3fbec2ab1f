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
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 4 + space.count)
    var progress = Progress()
    append(text, before: text.count, goesOn: false, &progress, to: &result)
    return result
  }

  /// How far a text has come.
  struct Progress {
    var place = 0
    /// Whether something other than space at the start was met.
    fileprivate var hasBegun = false
    fileprivate var afterSpace = false
  }

  /// Appends what becomes of a text up to a place, or a little farther.
  ///
  /// Until all of it has come, spaces at the end wait in the result, where ``waitingSpace(in:)`` counts them.
  /// - Parameter goesOn: whether more text follows, so that nothing is changed that it could decide upon.
  func append(
    _ text: [UInt8], before end: Int, goesOn: Bool, _ progress: inout Progress, to result: inout [UInt8]
  ) {
    if !progress.hasBegun {
      if specification.removesExtraSpaces {
        while progress.place < end, !goesOn || !seesEnd(of: text, at: progress.place),
          case let prefix = prefix(of: text, at: progress.place), isSpace(prefix, text)
        {
          progress.place += prefix.length
        }
      }
      guard progress.place < end, !goesOn || !seesEnd(of: text, at: progress.place) else { return }
      (progress.hasBegun, progress.afterSpace) = (true, specification.removesExtraSpaces)
      if specification.addsDummyPrefix, !addsSuffix { result.append(contentsOf: space) }
    }
    appendBody(text, before: end, goesOn: goesOn, &progress, to: &result)
    guard progress.place == text.count, !goesOn else { return }
    result.removeLast(waitingSpace(in: result))
    if specification.addsDummyPrefix, addsSuffix { result.append(contentsOf: space) }
  }

  /// The bytes of space at the end of a result that are dropped if nothing follows.
  func waitingSpace(in result: [UInt8]) -> Int {
    guard specification.removesExtraSpaces else { return 0 }
    var end = result.count
    while end >= space.count, result[(end - space.count)..<end].elementsEqual(space) { end -= space.count }
    return result.count - end
  }

  /// Whether what begins at a place may be other than it seems where text goes on.
  private func seesEnd(of text: [UInt8], at place: Int) -> Bool {
    map?.seesEnd(of: text.span, at: place) == true || userDefined.seesEnd(of: text[place...])
  }

  private func appendBody(
    _ text: [UInt8], before end: Int, goesOn: Bool, _ progress: inout Progress, to result: inout [UInt8]
  ) {
    let removesSpaces = specification.removesExtraSpaces
    var afterSpace = progress.afterSpace
    let (source, isPlain, space) = (text.span, isPlain.span, space.span)
    let replacements = map?.replacements ?? []
    var at = progress.place
    while at < end {
      let byte = source[at]
      if isPlain[Int(byte)], at + 1 == source.count ? !goesOn : source[at + 1] < 0x80 {
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
      if goesOn, seesEnd(of: text, at: at) { break }
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
    (progress.place, progress.afterSpace) = (at, afterSpace)
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

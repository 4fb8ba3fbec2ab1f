import TensorCore

/// Turns text into the ids that a model was trained on, and ids into text, as the tokenizer's own library does.
public struct Tokenizer: Sendable {
  var pipeline: Pipeline
  private let template: SpecialTokenTemplate
  private let decoder: any TokenDecoder
  private let names: TokenNames
  /// What becomes of the places of tokens; nil where that is not known.
  var offsetTrimming: [OffsetTrimming]?
  /// What the tokenizer's configuration says about lengths and special tokens.
  public let configuration: TokenizerConfiguration

  /// What the tokenizer's files say that counts for nothing though it looks as if it did: rules of `tokenizer.json` that
  /// are not those of the class that builds the tokenizer, and keys without a value that nothing knows.
  public internal(set) var notes: [String] = []

  init(
    pipeline: Pipeline, template: SpecialTokenTemplate, decoder: any TokenDecoder, names: TokenNames,
    configuration: TokenizerConfiguration
  ) {
    self.pipeline = pipeline
    self.template = template
    self.decoder = decoder
    self.configuration = configuration
    self.names = names
  }

  /// One more than the highest id that a text can give.
  public var vocabularySize: Int {
    max(pipeline.model.vocabularySize, (names.added.keys.max().map { Int($0) + 1 }) ?? 0)
  }

  /// The id of a token; nil when there is none of that text.
  public func id(of token: String) -> Int32? { names.id(of: token) }

  /// The text of a token; nil when there is none of that id.
  public func token(of id: Int32) -> String? { names.piece(of: id) }

  /// Whether a single text, or a token around it, has another type than 0, which models with one text do not take.
  package var hasTypesForSingleTexts: Bool {
    template.single.contains { part in
      switch part {
      case .text(_, let type), .special(_, let type): type != 0
      }
    }
  }

  /// Whether a pair stands in its order, as it does in all templates but made-up ones.
  var hasTextsInOrder: Bool {
    template.pair.compactMap { part in if case .text(let number, _) = part { number } else { nil } } == [
      0, 1,
    ]
  }

  /// The same with texts put into lower case before all else, but for tokens that are looked for as they stand; as it is
  /// where its rules have a step that does so.
  package func lowercasing() -> Tokenizer {
    var tokenizer = self
    tokenizer.pipeline.lowercase()
    return tokenizer
  }

  /// The special tokens added around one text.
  public var specialTokenCount: Int { template.specialTokenCount(isPair: false) }

  /// The special tokens added around a pair of texts.
  var specialTokenCountOfPairs: Int { template.specialTokenCount(isPair: true) }

  /// The ids of a text.
  /// - Parameters:
  ///   - addingSpecialTokens: whether the special tokens that models expect around a text are added.
  ///   - truncation: how long the result may be; nil for any length.
  ///   - padding: how short results are made longer; nil for none.
  ///   - findingOffsets: whether ``Encoding/offsets`` are found, which takes several times as long.
  public func encode(
    _ text: String, addingSpecialTokens: Bool = true, truncation: Truncation? = nil, padding: Padding? = nil,
    findingOffsets: Bool = false
  ) -> Encoding {
    encode([Array(text.utf8)], addingSpecialTokens, truncation, padding, findingOffsets)
  }

  /// The ids of a text in bytes. What is not UTF-8 is taken for U+FFFD, each longest beginning of a character
  /// and each byte that begins none for one.
  public func encode(
    utf8 text: some Sequence<UInt8>, addingSpecialTokens: Bool = true, truncation: Truncation? = nil,
    padding: Padding? = nil
  ) -> Encoding {
    let text = Array(text)
    let valid = text.isASCII ? text : Array(String(decoding: text, as: UTF8.self).utf8)
    return encode([valid], addingSpecialTokens, truncation, padding, false)
  }

  /// The ids of two texts in one sequence, for models that compare them.
  /// - Parameter truncation: how long the result may be, and which text is cut for it; nil for any length.
  public func encode(
    _ first: String, _ second: String, addingSpecialTokens: Bool = true, truncation: Truncation? = nil,
    padding: Padding? = nil, findingOffsets: Bool = false
  ) -> Encoding {
    encode([Array(first.utf8), Array(second.utf8)], addingSpecialTokens, truncation, padding, findingOffsets)
  }

  /// The ids of texts, which are made equally long where padding asks for that of the longest.
  public func encode(
    _ texts: [String], addingSpecialTokens: Bool = true, truncation: Truncation? = nil,
    padding: Padding? = nil, findingOffsets: Bool = false
  ) -> [Encoding] {
    let encodings = texts.map {
      encode(
        $0, addingSpecialTokens: addingSpecialTokens, truncation: truncation, findingOffsets: findingOffsets)
    }
    return Self.padded(encodings, padding)
  }

  /// The ids of pairs of texts, each pair in one sequence; all are made equally long where padding asks for that of the
  /// longest.
  public func encode(
    pairs: [(String, String)], addingSpecialTokens: Bool = true, truncation: Truncation? = nil,
    padding: Padding? = nil, findingOffsets: Bool = false
  ) -> [Encoding] {
    let encodings = pairs.map {
      encode(
        $0, $1, addingSpecialTokens: addingSpecialTokens, truncation: truncation,
        findingOffsets: findingOffsets)
    }
    return Self.padded(encodings, padding)
  }

  private static func padded(_ encodings: [Encoding], _ padding: Padding?) -> [Encoding] {
    guard let padding else { return encodings }
    let longest = encodings.reduce(0) { max($0, $1.ids.count) }
    return encodings.map { $0.padded(by: padding, toAtLeast: longest) }
  }

  private func encode(
    _ texts: [[UInt8]], _ addingSpecialTokens: Bool, _ truncation: Truncation?, _ padding: Padding?,
    _ findingOffsets: Bool
  ) -> Encoding {
    let specialCount = addingSpecialTokens ? template.specialTokenCount(isPair: texts.count > 1) : 0
    let room = truncation.map { max(0, $0.maximumLength - specialCount) } ?? .max
    var parts: [[Int32]] = []
    for text in texts {
      var list = TokenList(
        truncation.map { $0.side == .right ? .first(room) : findingOffsets ? .all : .last(room) } ?? .all)
      pipeline.appendIDs(of: text, to: &list)
      parts.append(list.ids)
    }
    let isFirstLonger = truncation?.strategy == .longestFirst && isFirstLonger(texts, parts, room)
    let places = findingOffsets ? places(of: texts, parts) : nil
    let wasTruncated = truncation.map { parts.cut(to: room, $0, isFirstLonger: isFirstLonger) } ?? false
    let (ids, types, mask) = template.apply(to: parts, addingSpecialTokens: addingSpecialTokens)
    var encoding = Encoding(
      ids: ids, tokenTypes: types, specialTokensMask: mask, wasTruncated: wasTruncated,
      content: 0..<ids.count, names: names)
    if let places {
      encoding.offsets = offsets(places, parts, side: truncation?.side ?? .right, of: encoding)
    }
    if let truncation { encoding.cutSpecialTokens(to: truncation.maximumLength) }
    return padding.map { encoding.padded(by: $0, toAtLeast: encoding.ids.count) } ?? encoding
  }

  /// Whether the first text of a pair has more tokens than the second, where their first or last tell.
  private func isFirstLonger(_ texts: [[UInt8]], _ parts: [[Int32]], _ room: Int) -> Bool {
    guard parts.count > 1 else { return false }
    guard parts[0].count > room, parts[1].count > room, room % 2 == 1 else {
      return parts[0].count > parts[1].count
    }
    let counts = texts.map { text in
      var list = TokenList(.none)
      pipeline.appendIDs(of: text, to: &list)
      return list.count
    }
    return counts[0] > counts[1]
  }

  /// Tokens that somebody else made of a text, special ones included, as this tokenizer would give them.
  /// - Parameter padding: how they are made longer; nil for not at all.
  public func encoding(ofTokens ids: [Int32], padding: Padding? = nil) -> Encoding {
    let mask = ids.map { id -> Int32 in
      names.piece(of: id).map { names.special.contains(ExactText($0)) } ?? false ? 1 : 0
    }
    let encoding = Encoding(
      ids: ids, tokenTypes: [Int32](repeating: 0, count: ids.count), specialTokensMask: mask,
      wasTruncated: false, content: 0..<ids.count, names: names)
    return padding.map { encoding.padded(by: $0, toAtLeast: ids.count) } ?? encoding
  }

  /// The text of ids. Ids that stand for no token give nothing.
  public func decode(_ ids: [Int32], skippingSpecialTokens: Bool = true) -> String {
    var pieces: [[UInt8]] = []
    for id in ids {
      guard let piece = names.decoded[id] ?? names.model.piece(of: id).map({ ExactText($0) }) else {
        continue
      }
      if skippingSpecialTokens, names.special.contains(piece) { continue }
      pieces.append(Array(piece.utf8))
    }
    return String(decoding: decoder.decode(pieces).joined(), as: UTF8.self)
  }
}

extension [[Int32]] {
  /// Cuts one text, or two, to so many ids together, of which there may be more.
  /// - Returns: whether anything was cut off.
  fileprivate mutating func cut(to room: Int, _ truncation: Truncation, isFirstLonger: Bool) -> Bool {
    let total = reduce(0) { $0 + $1.count }
    guard total > room else { return false }
    let rooms = count > 1 ? rooms(in: room, truncation.strategy, isFirstLonger: isFirstLonger) : [room]
    for index in indices where self[index].count > rooms[index] {
      let text = self[index]
      self[index] = [Int32](
        truncation.side == .right ? text.prefix(rooms[index]) : text.suffix(rooms[index]))
    }
    return true
  }

  /// What each text of a pair that is too long is cut to.
  private func rooms(in room: Int, _ strategy: TruncationStrategy, isFirstLonger: Bool) -> [Int] {
    switch strategy {
    case .longestFirst:
      let shorter = Swift.min(self[0].count, self[1].count)
      var (less, more) = (shorter, shorter > room ? shorter : Swift.max(shorter, room - shorter))
      if less + more > room { (less, more) = (room / 2, room / 2 + room % 2) }
      return isFirstLonger ? [more, less] : [less, more]
    case .onlyFirst: return [Swift.max(0, room - self[1].count), Swift.min(room, self[1].count)]
    case .onlySecond: return [Swift.min(room, self[0].count), Swift.max(0, room - self[0].count)]
    }
  }
}

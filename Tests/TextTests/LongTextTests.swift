import TensorCore
import TestSupport
import Testing

@testable import Text

/// Texts that go through the steps in parts have the ids, and the words, that they have as a whole.
@Suite("Long texts")
struct LongTextTests {
  /// Gives the bytes of each word, and a number behind them.
  private struct WordRecorder: TokenModel {
    var vocabularySize: Int { 0 }
    func id(of piece: String) -> Int32? { nil }
    func piece(of id: Int32) -> String? { nil }
    func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) { ids += text.map { Int32($0) } + [-1] }
    func wordRun() -> any WordRun { Run() }

    struct Run: WordRun {
      func append(_ part: ArraySlice<UInt8>, isLast: Bool, limit: Int, to ids: inout [Int32]) {
        ids += part.map { Int32($0) } + (isLast ? [-1] : [])
      }
    }
  }

  /// The same of short words; all longer ones are alike.
  private struct ShortWordRecorder: TokenModel {
    var vocabularySize: Int { 0 }
    func id(of piece: String) -> Int32? { nil }
    func piece(of id: Int32) -> String? { nil }
    func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) {
      ids += text.count > 6 ? [-2] : text.map { Int32($0) } + [-1]
    }
    func wordRun() -> any WordRun { CollectedWord(self, decidingLength: 6) }
  }

  /// Looks a word up once all of it has come.
  private struct Unhurried: TokenModel {
    let base: any TokenModel
    var vocabularySize: Int { base.vocabularySize }
    func id(of piece: String) -> Int32? { base.id(of: piece) }
    func piece(of id: Int32) -> String? { base.piece(of: id) }
    func appendIDs(of text: ArraySlice<UInt8>, to ids: inout [Int32]) { base.appendIDs(of: text, to: &ids) }
  }

  private static let fragments = [
    " ", "  ", "\n", "\t", "\r\n", "\u{3000}", "\u{2581}", "a", "ab", "aab", "b", "A", "New York", "x",
    "word", "can't", "we'll",
    "'", "l", "12", "3", "½", "é", "e\u{301}", "\u{323}", "\u{301}", "\u{302e}", "\u{302f}", "\u{200d}",
    "\u{ad}", "각",
    "\u{1100}", "\u{1161}", "\u{11a8}", "中文", "，", "。", "ﬁ", "ﷺ", "Σ", "ΑΣ", "\u{345}", "İ", "😀",
    "👨\u{200d}👩\u{200d}👧",
    "🇩", "🇪", "!", "...", "(", "<s>", "<|startoftext|>", "[MASK]", "[M", "``", "-", "_", "\u{0}", "\u{fffd}",
    "…", "ｶ\u{ff9e}",
  ]

  private static func texts(_ count: Int, _ random: inout SeededRandom) -> [[UInt8]] {
    (0..<count).map { number in
      // Some texts of few fragments have long runs of one.
      let some = number % 3 == 0 ? Array(fragments.shuffled(using: &random).prefix(2)) : fragments
      let parts = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        some.randomElement(using: &random) ?? ""
      }
      return Array(parts.joined().utf8)
    }
  }

  private func check(_ whole: Pipeline, _ texts: [[UInt8]], _ name: String) {
    var parts = whole
    for text in texts {
      var all = TokenList(.all)
      whole.appendIDs(of: text, to: &all)
      for length in [1, 2, 5, 16, 64] {
        parts.partLength = length
        var list = TokenList(.all)
        parts.appendIDs(of: text, to: &list)
        #expect(
          list.ids == all.ids,
          "\(name), in \(length): \(String(decoding: text, as: UTF8.self).debugDescription)")
        guard list.ids == all.ids else { return }
        for count in [0, 3, 20] {
          var first = TokenList(.first(count))
          parts.appendIDs(of: text, to: &first)
          #expect(
            first.ids.prefix(count) == all.ids.prefix(count) && first.isFull == (all.ids.count > count),
            "\(name)")
        }
      }
    }
  }

  @Test("have the ids of the whole with the library's small tokenizers", arguments: TokenizerFixture.names)
  func tokenizers(_ name: String) throws {
    var random = SeededRandom()
    let pipeline = try TokenizerFixture.tokenizer(name).pipeline
    let texts = Self.texts(60, &random) + (try TokenizerFixture.texts().map { Array($0.utf8) })
    check(pipeline, texts, name)
    check(pipeline.recording(WordRecorder()), texts, name)
    check(pipeline.recording(ShortWordRecorder()), texts, name)
  }

  @Test(
    "of one word that goes on and on, have the ids of the whole", arguments: TokenizerFixture.names + models)
  func longWords(_ name: String) throws {
    var random = SeededRandom()
    let isModel = Self.models.contains(name)
    let parts =
      try isModel
      ? Tokenizer(contentsOf: Checkout.modelFolder(name)).pipeline
      : TokenizerFixture.tokenizer(name).pipeline
    var whole = parts.recording(Unhurried(base: parts.model))
    whole.partLength = .max
    for alphabet in ["a", "etaoinshr", "aé", "12", "-", "'s", " "] {
      let characters = alphabet.map { Array($0.utf8) }
      let word = (0..<140_000).flatMap { _ in characters.randomElement(using: &random) ?? [] }
      let bytes = word + Array(" a word behind it".utf8)
      var all = TokenList(.all)
      whole.appendIDs(of: bytes, to: &all)
      for count in [62, 20_000] {
        var first = TokenList(.first(count))
        parts.appendIDs(of: bytes, to: &first)
        let isSame =
          first.ids.prefix(count) == all.ids.prefix(count) && first.isFull == (all.ids.count > count)
        #expect(isSame, "\(name), \(alphabet), \(count)")
      }
    }
  }

  /// Folders whose tokenizers cut into words in other ways.
  private static let models = ["deberta", "albert", "modernbert", "siglip", "mpnet"]

  @Test("longer than a part, are cut at either end as the whole is", arguments: TokenizerFixture.names)
  func cutTexts(_ name: String) throws {
    var random = SeededRandom()
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let mixed = Self.texts(4000, &random).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    for text in [mixed, String(repeating: "a", count: 200_000), String(repeating: "ab c", count: 60_000)] {
      let all = tokenizer.encode(text, addingSpecialTokens: false).ids
      for side in [TextSide.right, .left] {
        let cut = tokenizer.encode(
          text, addingSpecialTokens: false, truncation: Truncation(maximumLength: 64, side: side))
        #expect(cut.ids == Array(side == .right ? all.prefix(64) : all.suffix(64)))
        #expect(cut.wasTruncated == (all.count > 64))
      }
    }
  }

  @Test("have the ids of the whole with sentencepiece models", arguments: SentencePieceFixtures.modelNames)
  func sentencePiece(_ name: String) throws {
    var random = SeededRandom()
    let whole = try SentencePieceTokenizer(try SentencePieceModel(try SentencePieceFixtures.bytes(of: name)))
    var parts = whole
    for text in Self.texts(200, &random) {
      let expected = whole.encode(text)
      for length in [1, 3, 20] {
        parts.partLength = length
        #expect(parts.encode(text) == expected, "\(name): \(text)")
        var first: [Int32] = []
        var run = parts.wordRun()
        text[...].forEachPart(of: length) { part, _ in
          run.append(part, isLast: false, limit: .max, to: &first)
          return true
        }
        #expect(first == Array(expected.prefix(first.count)), "\(name): \(text)")
        let more = whole.encode(text + Array("a\u{301} Σ▁<s> ".utf8))
        #expect(first == Array(more.prefix(first.count)), "\(name): \(text)")
      }
    }
  }

  @Test("have the ids of the whole with SigLIP's tokenizer")
  func siglip() throws {
    var random = SeededRandom()
    let folder = try TemporaryFolder()
    try folder.write("spiece.model", try SentencePieceFixtures.bytes(of: "unigram"))
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "SiglipTokenizer"}"#)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    check(tokenizer.pipeline, Self.texts(60, &random), "SigLIP")
    // Longer than a part: cut at either end as the whole is.
    let text = Self.texts(4000, &random).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    let all = tokenizer.encode(text, addingSpecialTokens: false).ids
    let short = tokenizer.encode(text, addingSpecialTokens: false, truncation: Truncation(maximumLength: 64))
    #expect(text.utf8.count > 200_000 && short.ids == Array(all.prefix(64)) && short.wasTruncated)
    let last = tokenizer.encode(
      text, addingSpecialTokens: false, truncation: Truncation(maximumLength: 64, side: .left))
    #expect(last.ids == Array(all.suffix(64)) && last.wasTruncated)
  }

  @Test("of pairs, the longer one is cut as if both were counted")
  func pairs() throws {
    var random = SeededRandom()
    var tokenizer = try TokenizerFixture.tokenizer("bert")
    let texts = Self.texts(40, &random).map { String(decoding: $0, as: UTF8.self) }
    for (first, second) in zip(texts, texts.dropFirst()) {
      for strategy in [TruncationStrategy.longestFirst, .onlyFirst, .onlySecond] {
        for (length, side) in [(8, TextSide.right), (9, .right), (9, .left), (30, .left), (31, .right)] {
          let truncation = Truncation(maximumLength: length, side: side, strategy: strategy)
          tokenizer.pipeline.partLength = .max
          let whole = tokenizer.encode(first, second, truncation: truncation)
          tokenizer.pipeline.partLength = 5
          #expect(tokenizer.encode(first, second, truncation: truncation) == whole)
        }
      }
    }
  }

  private static let preTokenizers: [any PreTokenizer] = {
    let expressions = [
      #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#,
      "a+b|a", #"\s+(?!\S)|\S"#, "ab?", "(?:ab)+x|a",
    ].compactMap { try? TextPattern(expression: $0) }
    let runs = [#"\s+"#, #"\p{L}"#, "[ab]{2,3}"].compactMap { try? TextPattern(expression: $0) }
    let literals = [" ", "ab", "aa", "\u{2581}"].map { TextPattern.literal(Array($0.utf8)) }
    let properties: [CharacterProperties] = [.whitespace, .punctuation, .numeric]
    var all: [any PreTokenizer] = [BertPreTokenizer(), WhitespaceSplitter()]
    for behavior in SplitBehavior.allCases {
      all += properties.map { PropertySplitter(property: $0, behavior: behavior) }
      for pattern in expressions + runs + literals + [.clip, .clipWithNames, .gpt2] {
        all += [false, true].map { PatternSplitter(pattern: pattern, behavior: behavior, isInverted: $0) }
      }
    }
    for prepending in Metaspace.Prepending.allCases {
      all += [false, true].map { Metaspace(mark: UTF8Bytes.spaceMark, prepending: prepending, splits: $0) }
    }
    for (space, cuts) in [(false, false), (false, true), (true, false), (true, true)] {
      all.append(ByteLevelPreTokenizer(addsPrefixSpace: space, cuts: cuts, writesCharacters: space))
    }
    return all
  }()

  @Test("are cut into the words of the whole by every step")
  func words() {
    var random = SeededRandom()
    let texts = Self.texts(24, &random)
    #expect(Self.preTokenizers.count > 150)
    let none = AddedTokenMatcher([])
    for step in Self.preTokenizers {
      for steps in [
        [step], [step, ByteLevelPreTokenizer(addsPrefixSpace: true, cuts: false, writesCharacters: true)],
      ] {
        let pipeline = Pipeline(
          normalizer: nil, preTokenizers: steps, model: WordRecorder(), literalTokens: none,
          normalizedTokens: none)
        check(pipeline, texts, "\(step)")
        check(pipeline.recording(ShortWordRecorder()), texts, "\(step)")
      }
    }
  }

  @Test("are cut into the words of the whole by two steps")
  func pairsOfSteps() {
    var random = SeededRandom()
    let texts = Self.texts(6, &random)
    let none = AddedTokenMatcher([])
    for _ in 0..<400 {
      let steps = Array(Self.preTokenizers.shuffled(using: &random).prefix(2))
      let pipeline = Pipeline(
        normalizer: nil, preTokenizers: steps, model: WordRecorder(), literalTokens: none,
        normalizedTokens: none)
      check(pipeline, texts, "\(steps)")
      check(pipeline.recording(ShortWordRecorder()), texts, "\(steps)")
    }
  }

  @Test("have the added tokens of the whole")
  func addedTokens() {
    var random = SeededRandom()
    let texts = Self.texts(100, &random)
    for _ in 0..<60 {
      let tokens = (0..<4).map { number in
        let content =
          ["ab", "a", " ", "New York", "[MASK]", "\n", "，", "word", "aa"].randomElement(using: &random) ?? ""
        var token = AddedToken(special: ExactText(content))
        (token.id, token.isSingleWord) = (Int32(1000 + number), Bool.random(using: &random))
        (token.stripsLeft, token.stripsRight) = (Bool.random(using: &random), Bool.random(using: &random))
        return (token: token, pattern: Array(content.utf8))
      }
      let pipeline = Pipeline(
        normalizer: nil,
        preTokenizers: [Metaspace(mark: UTF8Bytes.spaceMark, prepending: .first, splits: true)],
        model: WordRecorder(), literalTokens: AddedTokenMatcher(Array(tokens.prefix(1))),
        normalizedTokens: AddedTokenMatcher(Array(tokens.dropFirst())))
      check(pipeline, texts, "\(tokens.map(\.token))")
    }
  }

  @Test("are normalised as the whole by every step")
  func normalizers() throws {
    var random = SeededRandom()
    let texts = Self.texts(150, &random)
    let none = AddedTokenMatcher([])
    for steps in try NormalizerOffsetTests.all() {
      let given = try Tokenizer(tokenizerJSON: Array(steps.tokenizer.utf8), file: steps.name).pipeline
        .normalizer
      let pipeline = Pipeline(
        normalizer: given, preTokenizers: [], model: WordRecorder(), literalTokens: none,
        normalizedTokens: none)
      check(pipeline, texts, steps.name)
    }
  }
}

extension Pipeline {
  /// The same with another model.
  fileprivate func recording(_ model: some TokenModel) -> Pipeline {
    var pipeline = self
    pipeline.model = model
    return pipeline
  }
}

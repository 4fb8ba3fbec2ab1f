import TensorCore
import TestSupport
import Testing

@testable import Text

@Suite("Tokenizers from the files of a folder")
struct TokenizerLoadingTests {
  private static let bertVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\n##s\nworld\né\ne\n中\nHello\n"

  @Test("vocab.txt follows tokenizer_config.json")
  func bert() throws {
    let folder = try TemporaryFolder()
    try folder.write("vocab.txt", Self.bertVocabulary)
    let plain = try Tokenizer(contentsOf: folder.path)
    #expect(plain.encode("Hello worlds, É 中").ids == [2, 5, 7, 6, 1, 9, 10, 3])
    #expect(plain.encode("hello[MASK]").ids == [2, 5, 4, 3])
    #expect(plain.decode([2, 5, 7, 6, 3]) == "hello worlds")
    try folder.write(
      "tokenizer_config.json",
      #"{"do_lower_case": false, "strip_accents": false, "model_max_length": 12, "tokenizer_class": "BertTokenizer"}"#
    )
    let cased = try Tokenizer(contentsOf: folder.path)
    #expect(cased.encode("Hello é").ids == [2, 11, 8, 3])
    #expect(cased.configuration.maximumLength == 12)
    #expect(cased.configuration.paddingID == 0)
  }

  @Test("vocab.txt without its special pieces, and of another class, is refused")
  func bertRefusals() throws {
    let folder = try TemporaryFolder()
    try folder.write("vocab.txt", "[UNK]\na\n")
    #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    try folder.write("vocab.txt", Self.bertVocabulary)
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "BertJapaneseTokenizer"}"#)
    let error = #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error?.kind == .unsupportedModel)
  }

  @Test("vocab.json and merges.txt are those of CLIP, RoBERTa, GPT-2 or Qwen2")
  func pairs() throws {
    let folder = try TemporaryFolder()
    let bytes = ByteLevel.characters.compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
    func write(_ pieces: [String]) throws {
      let entries = pieces.enumerated().map { id, piece in
        "\"\(piece.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\": \(id)"
      }
      try folder.write("vocab.json", "{\(entries.joined(separator: ", "))}")
    }
    try write(bytes + bytes.map { $0 + "</w>" } + ["ab</w>", "<|startoftext|>", "<|endoftext|>"])
    try folder.write("merges.txt", "#version: 0.2\na b</w>\n")
    #expect(try Tokenizer(contentsOf: folder.path).encode("AB  é").ids == [513, 512, 195, 256 + 169, 514])
    try write(bytes + ["ab", "<s>", "</s>", "<unk>", "<pad>", "<mask>"])
    try folder.write("merges.txt", "#version: 0.2\na b\n")
    #expect(try Tokenizer(contentsOf: folder.path).encode("ab<mask>").ids.count == 9)
    try folder.write("tokenizer_config.json", "{}")
    #expect(try Tokenizer(contentsOf: folder.path).encode("ab <mask>").ids == [257, 256, 32, 261, 258])
    try folder.write("config.json", #"{"model_type": "gpt2"}"#)
    #expect(try Tokenizer(contentsOf: folder.path).encode("ab").ids == [256])
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "Qwen2Tokenizer"}"#)
    #expect(try Tokenizer(contentsOf: folder.path).encode("ab").ids == [256])
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "WhisperTokenizer"}"#)
    let error = #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error?.kind != .file)
  }

  @Test("merges.txt with a broken line is refused with its number")
  func merges() throws {
    let folder = try TemporaryFolder()
    try folder.write("vocab.json", #"{"a": 0, "b": 1, "<|endoftext|>": 2}"#)
    #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    try folder.write("merges.txt", "a b c\n")
    let error = #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error?.location == "merge 0")
  }

  @Test("a folder without a tokenizer says what it looked for")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect("\(try #require(error))".contains("vocab.txt"))
    #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path + "/missing") }
  }
}

@Suite("Truncation and padding")
struct TokenizerLimitTests {
  private let text = "The quick brown fox jumps over the lazy dog"

  @Test("texts are cut to the limit, special tokens included, at the side asked for")
  func truncation() throws {
    let tokenizer = try TokenizerFixture.tokenizer("bert")
    let whole = tokenizer.encode(text)
    for limit in 0...(whole.ids.count + 2) {
      let cut = tokenizer.encode(text, truncation: Truncation(maximumLength: limit))
      #expect(cut.ids.count == min(limit, whole.ids.count))
      #expect(cut.wasTruncated == (limit < whole.ids.count))
      #expect(cut.tokenTypes.count == cut.ids.count)
      guard limit >= 2, limit < whole.ids.count else { continue }
      #expect(cut.ids == Array(whole.ids.prefix(limit - 1)) + whole.ids.suffix(1))
      let left = tokenizer.encode(text, truncation: Truncation(maximumLength: limit, side: .left))
      #expect(left.ids == Array(whole.ids.prefix(1)) + whole.ids.suffix(limit - 1))
    }
  }

  @Test("of two texts the longer is cut first")
  func pairs() throws {
    let tokenizer = try TokenizerFixture.tokenizer("bert")
    let short = tokenizer.encode("the", addingSpecialTokens: false).ids
    let long = tokenizer.encode(text, addingSpecialTokens: false).ids
    let cut = tokenizer.encode(
      "the", text, addingSpecialTokens: false, truncation: Truncation(maximumLength: 6))
    #expect(cut.ids == short + long.prefix(6 - short.count) && cut.wasTruncated)
    let both = tokenizer.encode(
      text, text, addingSpecialTokens: false, truncation: Truncation(maximumLength: 7))
    #expect(both.ids == Array(long.prefix(3)) + long.prefix(4))
  }

  @Test("results are filled up to a length, to that of the longest, or to a multiple")
  func padding() throws {
    let tokenizer = try TokenizerFixture.tokenizer("bert")
    let plain = tokenizer.encode(text)
    let count = plain.ids.count
    let right = tokenizer.encode(text, padding: Padding(length: count + 3, id: 7, tokenType: 5))
    #expect(right.ids == plain.ids + [7, 7, 7] && right.content == 0..<count)
    #expect(right.tokenTypes.suffix(3) == [5, 5, 5] && right.attentionMask.suffix(4) == [1, 0, 0, 0])
    let left = tokenizer.encode(text, padding: Padding(length: count + 2, id: 7, side: .left))
    #expect(left.ids == [7, 7] + plain.ids && left.content == 2..<(count + 2))
    #expect(tokenizer.encode(text, padding: Padding(length: 1, id: 7)) == plain)
    let multiple = tokenizer.encode(text, padding: Padding(length: nil, id: 7, multiple: count + 5))
    #expect(multiple.ids.count == count + 5)
    let batch = tokenizer.encode(["the", text], padding: Padding(length: nil, id: 7))
    #expect(batch.map(\.ids.count) == [count, count] && batch[1].ids == plain.ids)
  }

  @Test("the limits of tokenizer.json can be read, and are not applied unasked")
  func ownLimits() throws {
    let json = """
      {"truncation": {"direction": "Left", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
      "padding": {"strategy": {"Fixed": 9}, "direction": "Left", "pad_to_multiple_of": null, "pad_id": 1,
      "pad_type_id": 2, "pad_token": "b"}, "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}
      """
    let tokenizer = try Tokenizer(tokenizerJSON: Array(json.utf8), file: "tokenizer.json")
    let configuration = tokenizer.configuration
    #expect(configuration.truncation == Truncation(maximumLength: 3, side: .left))
    #expect(configuration.padding == Padding(length: 9, id: 1, tokenType: 2, side: .left))
    #expect(configuration.paddingSide == .left && configuration.truncationSide == .left)
    #expect(try tokenizer.truncation().side == .left && tokenizer.padding().side == .left)
    let folder = try TemporaryFolder()
    try folder.write("tokenizer.json", json)
    for (config, padding, truncation) in [
      ("{}", TextSide.left, TextSide.left), (#"{"padding_side": "right"}"#, .right, .left),
      (#"{"truncation_side": "right"}"#, .left, .right),
    ] {
      try folder.write("tokenizer_config.json", config)
      let stated = try Tokenizer(contentsOf: folder.path).configuration
      #expect(stated.paddingSide == padding && stated.truncationSide == truncation, "\(config)")
    }
    #expect(tokenizer.encode("aaba").ids == [0, 0, 1, 0])
    let encoding = tokenizer.encode(
      "aaba", truncation: configuration.truncation, padding: configuration.padding)
    #expect(encoding.ids == [1, 1, 1, 1, 1, 1, 0, 1, 0] && encoding.wasTruncated)
  }
}

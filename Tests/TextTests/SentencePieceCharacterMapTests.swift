import TensorCore
import Testing
import Text

/// The rules of a character map, and the two ways in which libraries apply them.
@Suite struct SentencePieceCharacterMapTests {
  @Test func appliesItsRule() throws {
    let map = try PrecompiledCharacterMap(SentencePieceModelBuilder.characterMap(0x41, "bc"))
    let text = Array("xAx\0".utf8)
    let matches = (0...4).map { map.longestMatch(text.span, at: $0) }
    #expect(matches.map { $0?.length } == [nil, 1, nil, nil, nil])
    #expect(matches[1].map { Array(map.replacements[$0.replacement]) } == Array("bc".utf8))
    #expect(map.hasRule(for: 0x41))
    #expect(!map.hasRule(for: 0))
  }

  /// Every single byte finds its own rule and no other.
  @Test func tellsAllBytesApart() throws {
    for byte in UInt8(1)...255 {
      let map = try PrecompiledCharacterMap(SentencePieceModelBuilder.characterMap(byte, "x"))
      for other in UInt8.min...255 {
        #expect((map.shortestReplacement([other, other]) != nil) == (other == byte))
      }
    }
  }

  /// tokenizers replaces a whole cluster of under six bytes by the rule for its beginning; sentencepiece
  /// replaces only what the rule names.
  @Test func clustersAreReplacedAsAWhole() throws {
    let map = SentencePieceModelBuilder.characterMap(0x41, "b")
    let normalizer = PrecompiledNormalizer(try PrecompiledCharacterMap(map))
    func normalized(_ text: String) -> String {
      String(decoding: normalizer.normalize(Array(text.utf8)), as: UTF8.self)
    }
    #expect(normalized("AxA") == "bxb")
    #expect(normalized("A\u{301}x") == "bx", "three bytes: the accent goes with the letter")
    #expect(normalized("A\u{301}\u{302}x") == "bx", "five bytes")
    #expect(normalized("A\u{20dd}\u{20dd}x") == "b\u{20dd}\u{20dd}x", "seven bytes: character by character")
    #expect(normalized("x\u{301}A") == "x\u{301}b")
    var model = SentencePieceModelBuilder.unigram([])
    model.normalizer(map: map)
    let whole = try SentencePieceNormalizer(try SentencePieceModel(model.bytes).normalizer)
    #expect(whole.normalize(Array("A\u{301}x".utf8)) == Array("▁b\u{301}x".utf8))
  }

  /// Spaces are dropped at the ends and joined inside, whatever they were before the rules.
  @Test func spacesOfSentencePiece() throws {
    var model = SentencePieceModelBuilder.unigram([])
    model.normalizer(map: SentencePieceModelBuilder.characterMap(0x09, " "))
    let normalizer = try SentencePieceNormalizer(try SentencePieceModel(model.bytes).normalizer)
    func normalized(_ text: [UInt8]) -> String { String(decoding: normalizer.normalize(text), as: UTF8.self) }
    #expect(normalized([]) == "")
    #expect(normalized(Array(" \t ".utf8)) == "")
    #expect(normalized(Array("\t a \t b ".utf8)) == "▁a▁b")
    #expect(normalized(Array("a ▁".utf8)) == "▁a", "U+2581 at the end is taken for a space")
    #expect(normalized(Array("▁ a".utf8)) == "▁▁▁a", "but not inside")
    #expect(normalized([0x61, 0, 0x62]) == "▁a\0b")
    #expect(normalized([0xff, 0x61, 0xe2, 0x96]) == "▁\u{fffd}a\u{fffd}\u{fffd}")
    #expect(normalized([0xc0, 0x80]) == "▁\u{fffd}\u{fffd}", "overlong")
    #expect(normalized([0xed, 0xa0, 0x80]) == "▁\u{fffd}\u{fffd}\u{fffd}", "surrogate")
    #expect(normalized([0xf4, 0x90, 0x80, 0x80]) == "▁\u{fffd}\u{fffd}\u{fffd}\u{fffd}", "over U+10FFFF")
  }
}

import Testing
import Text

/// A sentencepiece model gives the ids and the text that the sentencepiece library gives.
@Suite struct SentencePieceTokenizerTests {
  @Test(arguments: SentencePieceFixtures.modelNames)
  func encodesAsTheLibrary(name: String) throws {
    let tokenizer = try SentencePieceFixtures.tokenizer(name)
    let expected = try SentencePieceFixtures.expectation(name)
    for (text, ids) in zip(try SentencePieceFixtures.texts(), expected.ids) {
      #expect(tokenizer.encode(text) == ids, "text \(String(decoding: text, as: UTF8.self).debugDescription)")
    }
  }

  @Test(arguments: SentencePieceFixtures.modelNames)
  func decodesAsTheLibrary(name: String) throws {
    let tokenizer = try SentencePieceFixtures.tokenizer(name)
    let expected = try SentencePieceFixtures.expectation(name)
    for (ids, text) in zip(expected.ids + expected.drawn, expected.decoded + expected.drawn_decoded) {
      #expect(try Array(tokenizer.decode(ids).utf8) == Array(text.utf8), "ids \(ids)")
    }
  }

  @Test func refusesToDecodeWhatIsNoPiece() throws {
    let tokenizer = try SentencePieceFixtures.tokenizer("word")
    let count = Int32(tokenizer.model.pieces.count)
    for id in [-1, count, .max, .min] {
      #expect(throws: (any Error).self) { try tokenizer.decode([0, id]) }
    }
  }

  @Test func readsTheSpecialIDs() throws {
    let model = try SentencePieceFixtures.model("unigram")
    #expect(model.unknownID == 0)
    #expect(model.trainer.beginID == 1)
    #expect(model.trainer.endID == 2)
    #expect(model.trainer.paddingID == 3)
    // -1 is stored as a varint of ten bytes.
    #expect(try SentencePieceFixtures.model("word").trainer.paddingID == -1)
    #expect(model.trainer.byteFallback)
    #expect(model.pieces.text(of: 4) == "<ctl>")
  }

  /// Sums of scores are compared as Float, so of two cuts that differ by less than that, the first found
  /// stands.
  @Test func decidesNearTiesInSinglePrecision() throws {
    // As Float 3 + 1e-8 is 3, so "a" + "a" is no better than "aa", which is found first.
    let model = SentencePieceModelBuilder.unigram([("aa", -3), ("a", -1.5 + 1e-8), ("▁", 0)])
    let tokenizer = try SentencePieceTokenizer(try SentencePieceModel(model.bytes))
    #expect(tokenizer.encode("aa") == [3, 1])
  }
}

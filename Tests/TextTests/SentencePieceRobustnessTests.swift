import TensorCore
import TestSupport
import Testing
import Text

/// No file and no text ends the process, hangs, or asks for more memory than its size justifies.
@Suite struct SentencePieceRobustnessTests {
  /// Every byte of a small model changed: an error or a model that cuts text.
  @Test func everyByteChanged() throws {
    let original = try SentencePieceFixtures.bytes(of: "character")
    let text = Array("a cat Привет 日本語 ▁ \u{301}".utf8)
    var random = SeededRandom(seed: 5)
    var accepted = 0
    for index in original.indices {
      var bytes = original
      bytes[index] ^= UInt8.random(in: 1...255, using: &random)
      guard let model = try? SentencePieceModel(bytes), let tokenizer = try? SentencePieceTokenizer(model)
      else {
        continue
      }
      accepted += 1
      let ids = tokenizer.encode(text)
      #expect(ids.allSatisfy { $0 >= 0 && $0 < model.pieces.count }, "byte \(index)")
      _ = try tokenizer.decode(ids)
    }
    #expect(accepted > 0)
    #expect(accepted < original.count)
  }

  /// Files cut off anywhere: an error, or a model of the first pieces.
  @Test func everyLength() throws {
    let original = try SentencePieceFixtures.bytes(of: "word")
    let whole = try SentencePieceFixtures.model("word")
    for length in stride(from: 0, to: original.count, by: 13) {
      guard let model = try? SentencePieceModel(Array(original[..<length])) else { continue }
      #expect(model.pieces.count <= whole.pieces.count)
      for id in 0..<model.pieces.count { #expect(model.pieces[id] == whole.pieces[id]) }
    }
  }

  /// Random bytes as text: ids in range, and all models agree with themselves on a second run.
  @Test(arguments: SentencePieceFixtures.modelNames)
  func randomBytes(name: String) throws {
    let tokenizer = try SentencePieceFixtures.tokenizer(name)
    var random = SeededRandom()
    for _ in 0..<200 {
      let text = random.bytes(Int.random(in: 0...60, using: &random))
      let ids = tokenizer.encode(text)
      #expect(ids.allSatisfy { $0 >= 0 && $0 < tokenizer.model.pieces.count }, "seed \(random.seed)")
      #expect(tokenizer.encode(text) == ids)
    }
  }

  /// Long runs of one character, the worst case of merging and of the lattice, take time in proportion. The characters are
  /// numbers, as a log shows arguments: "a", a space, "0", "▁", "é", NUL, a combining mark and "日".
  @Test(
    arguments: SentencePieceFixtures.modelNames,
    [0x61, 0x20, 0x30, 0x2581, 0xE9, 0, 0x301, 0x65E5] as [UInt32])
  func longRuns(name: String, codePoint: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(codePoint))
    let character = String(Character(scalar))
    let tokenizer = try SentencePieceFixtures.tokenizer(name)
    let short = tokenizer.encode(String(repeating: character, count: 400)).count
    let long = tokenizer.encode(String(repeating: character, count: 4000)).count
    // Ends may differ; the rest is periodic.
    #expect(abs(long - short * 10) <= 100)
  }

  /// A pair that is stale in the queue of merges must not be merged.
  @Test func mergesInTheOrderOfScores() throws {
    var model = SentencePieceModelBuilder.unigram([
      ("a", -10), ("b", -11), ("c", -12), ("bc", -1), ("ab", -2), ("abc", -3), ("aa", -4),
    ])
    model.trainer([3: 2])
    model.normalizer([3: 0])
    let tokenizer = try SentencePieceTokenizer(try SentencePieceModel(model.bytes))
    #expect(tokenizer.encode("abc") == [6], "bc first, then a + bc")
    #expect(tokenizer.encode("ab") == [5])
    #expect(tokenizer.encode("aaa") == [7, 1], "the leftmost of equals")
    #expect(tokenizer.encode("aab") == [1, 5])
    #expect(tokenizer.encode("axb") == [1, 0, 2])
  }
}

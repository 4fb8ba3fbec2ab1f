import TensorCore
import TestSupport
import Testing

@testable import Text

/// A word that comes part by part has the ids that it has as a whole, and no more of it is kept than decides.
@Suite("Words that come part by part")
struct WordRunTests {
  /// Models of a few pieces, by what they make of characters that have none.
  private static func models() throws -> [(name: String, model: any TokenModel)] {
    var all: [(String, any TokenModel)] = []
    let scores: [(piece: String, score: Double)] = [
      ("<unk>", -9), ("a", -1), ("b", -2), ("ab", -1.5), ("aba", -3), ("é", -20), ("xyxy", -1),
      ("a<unk>", -2),
    ]
    let byte = { (byte: UInt8) in (piece: ByteToken.text(of: byte), score: -4.0) }
    let sets = [
      ("without bytes", scores), ("with all bytes", scores + (0...255).map(byte)),
      ("with some bytes", scores + Array("xyz日é".utf8).map(byte)),
    ]
    for (name, pieces) in sets {
      all.append(("unigram \(name)", try UnigramModel(pieces: pieces, unknownID: 0, byteFallback: true)))
    }
    all.append(("unigram", try UnigramModel(pieces: scores, unknownID: 0, byteFallback: false)))
    var vocabulary = Vocabulary()
    let pieces =
      ["<unk>", "a", "b", "ab", "##a", "##b", "##ab", "a</w>", "b</w>", "ab</w>", "é", "abab", "xyxyxyxy"]
      + Array("xyé".utf8).map { ByteToken.text(of: $0) }
    for (id, piece) in pieces.enumerated() { try vocabulary.insert(Array(piece.utf8).span, id: id) }
    for number in 0..<32 {
      var merges = MergeList()
      var options = BytePairEncoding.Options()
      let has = { (bit: Int) in number >> bit & 1 == 1 }
      if has(0) { options.wordEnd = "</w>" }
      for (left, right) in has(0) ? [("a", "b"), ("a", "b</w>")] : [("a", "b"), ("ab", "ab")] {
        merges.append(Array(left.utf8).span, Array(right.utf8).span)
      }
      if !has(1) { options.unknownPiece = "<unk>" }
      (options.joinsUnknown, options.fallsBackToBytes, options.prefersWholeWords) = (has(2), has(3), has(4))
      let pairs = try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: options)
      all += [("pairs \(options)", pairs), ("pairs of bytes \(options)", ByteLevelPairEncoding(pairs))]
    }
    all.append(("pieces", try WordPiece(vocabulary: vocabulary, unknownPiece: "<unk>", maximumCharacters: 7)))
    all.append(("words", WholeWords(vocabulary: vocabulary, unknown: 0)))
    for name in SentencePieceFixtures.modelNames {
      let tokenizer = try SentencePieceTokenizer(
        try SentencePieceModel(try SentencePieceFixtures.bytes(of: name)))
      all.append(("sentencepiece \(name)", tokenizer))
      all.append(("SigLIP's \(name)", SiglipModel(tokenizer, unknownPiece: "<unk>")))
    }
    return all
  }

  private static func words(_ count: Int, _ random: inout SeededRandom) -> [[UInt8]] {
    let characters = ["a", "b", "ab", "x", "y", "xy", "é", "日", "z", "<unk>", "\u{2581}", "😀"]
    return (0..<count).map { number in
      let some = number % 2 == 0 ? characters : Array(characters.shuffled(using: &random).prefix(2))
      // Rows of one character, as long as pieces are and a little longer.
      let parts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        String(
          repeating: some.randomElement(using: &random) ?? "", count: Int.random(in: 1...9, using: &random))
      }
      return Array(parts.joined().utf8)
    }
  }

  @Test("have the ids of the whole, cut anywhere and up to any number of ids")
  func sameIDs() throws {
    var random = SeededRandom()
    let words = Self.words(30, &random)
    for (name, model) in try Self.models() {
      for word in words {
        var expected: [Int32] = []
        model.appendIDs(of: word[...], to: &expected)
        for length in [1, 2, 3, 7, 20] {
          for limit in [Int.max, 0, 1, 4] {
            var (run, ids) = (model.wordRun(), [Int32]())
            word[...].forEachPart(of: length) { part, isLast in
              run.append(part, isLast: isLast, limit: limit, to: &ids)
              let count = min(ids.count, limit == .max ? .max : limit + 1)
              #expect(ids.prefix(count) == expected.prefix(count), "\(name), seed \(random.seed): \(word)")
              return ids.count <= limit
            }
            #expect(ids.count > limit || ids == expected, "\(name), seed \(random.seed): \(word)")
          }
        }
      }
    }
  }

  @Test("whose rest is empty have the ids of the whole")
  func emptyRest() throws {
    for (name, model) in try Self.models() {
      for word in ["a", "ab", "x", "xx", "axx", "é"].map({ Array($0.utf8) }) {
        var (run, ids, expected) = (model.wordRun(), [Int32](), [Int32]())
        model.appendIDs(of: word[...], to: &expected)
        run.append(word[...], isLast: false, limit: .max, to: &ids)
        run.append([], isLast: true, limit: .max, to: &ids)
        #expect(ids == expected, "\(name): \(word)")
      }
    }
  }
}

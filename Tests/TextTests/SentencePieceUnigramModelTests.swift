import Testing
import Text

/// The unigram model and the precompiled normalizer give what the tokenizers library gives.
@Suite struct SentencePieceUnigramModelTests {
  @Test func normalizesAsTheLibrary() throws {
    let expected = try SentencePieceFixtures.tokenizersExpectation()
    let map = try PrecompiledCharacterMap(try SentencePieceFixtures.model("unigram").normalizer.characterMap)
    let normalizer = PrecompiledNormalizer(map)
    for (text, normalized) in zip(expected.texts, expected.normalized) {
      #expect(normalizer.normalize([UInt8](text)) == Array(normalized.utf8), "text \([UInt8](text))")
    }
  }

  @Test(arguments: [false, true])
  func cutsAsTheLibrary(byteFallback: Bool) throws {
    let expected = try SentencePieceFixtures.tokenizersExpectation()
    let model = try SentencePieceFixtures.model("unigram")
    let entries = model.scores.enumerated().map { id, score in
      (piece: model.pieces.text(of: Int32(id)) ?? "", score: Double(score))
    }
    let unigram = try UnigramModel(pieces: entries, unknownID: 0, byteFallback: byteFallback)
    for (text, ids) in zip(expected.normalized, byteFallback ? expected.ids_with_bytes : expected.ids) {
      #expect(unigram.ids(of: text.spacesMarked) == ids, "text \(text.debugDescription)")
    }
  }

  @Test func namesItsPieces() throws {
    let unigram = try UnigramModel(pieces: [("<unk>", 0), ("é", -1)], unknownID: 0, byteFallback: false)
    #expect(unigram.vocabularySize == 2)
    #expect(unigram.id(of: "é") == 1)
    #expect(unigram.id(of: "e\u{301}") == nil, "pieces are told apart by their bytes")
    #expect(unigram.id(of: "") == nil)
    #expect(unigram.piece(of: 1) == "é")
    #expect(unigram.piece(of: 2) == nil)
    #expect(unigram.piece(of: -1) == nil)
  }

  /// Runs of unknown characters are one token, and looked up as a whole: with the literal text of the
  /// unknown token they can be a piece after all.
  @Test func joinsUnknownCharacters() throws {
    let unigram = try UnigramModel(pieces: [("<unk>", 0), ("a", -1)], unknownID: 0, byteFallback: false)
    #expect(unigram.ids(of: "axyza日本") == [1, 0, 1, 0])
    #expect(unigram.ids(of: "x<unk>y") == [0])
    #expect(unigram.ids(of: "") == [])
  }

  /// A run falls back on bytes only when all its bytes are pieces.
  @Test func fallsBackOnBytesTogether() throws {
    let pieces: [(String, Double)] = [
      ("<unk>", 0), ("a", -1), ("<0x78>", -2), ("<0xC3>", -2), ("<0xA9>", -2),
    ]
    let unigram = try UnigramModel(pieces: pieces.map { ($0, $1) }, unknownID: 0, byteFallback: true)
    #expect(unigram.ids(of: "ax") == [1, 2])
    #expect(unigram.ids(of: "é") == [3, 4])
    #expect(unigram.ids(of: "xé") == [2, 3, 4])
    #expect(unigram.ids(of: "xy") == [0])
  }

  /// Of two equal pieces the last counts.
  @Test func takesTheLastOfEqualPieces() throws {
    let unigram = try UnigramModel(
      pieces: [("<unk>", 0), ("a", -1), ("a", -9)], unknownID: 0, byteFallback: false)
    #expect(unigram.id(of: "a") == 2)
    #expect(unigram.ids(of: "a") == [2])
  }

  @Test func refusesWhatCannotBe() {
    #expect(
      failure { try UnigramModel(pieces: [], unknownID: 0, byteFallback: false) }.contains("unk_id is 0"))
    #expect(
      failure { try UnigramModel(pieces: [("a", 0)], unknownID: nil, byteFallback: false) }
        .contains("unk_id is missing"))
    #expect(
      failure { try UnigramModel(pieces: [("a", 0)], unknownID: -1, byteFallback: false) }
        .contains("unk_id is -1"))
    for score in [Double.nan, .infinity, -.infinity] {
      #expect(
        failure { try UnigramModel(pieces: [("u", 0), ("a", score)], unknownID: 0, byteFallback: false) }
          .contains("piece 1: the score is"))
    }
    let long = String(repeating: "a", count: 1025)
    #expect(
      failure { try UnigramModel(pieces: [("u", 0), (long, 0)], unknownID: 0, byteFallback: false) }
        .contains("the piece has 1025 bytes"))
  }

  private func failure(_ body: () throws -> UnigramModel) -> String {
    do {
      _ = try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}

extension String {
  /// The text with U+2581 for each space, also where an accent stands on the space.
  fileprivate var spacesMarked: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar == " " ? "▁" : scalar) }
    return String(scalars)
  }
}

extension TokenModel {
  /// The ids of a text that is one word.
  func ids(of text: String) -> [Int32] {
    var ids: [Int32] = []
    appendIDs(of: Array(text.utf8)[...], to: &ids)
    return ids
  }
}

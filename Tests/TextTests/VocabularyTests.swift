import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Text

/// Large vocabularies are read at once, and find what they would if each piece was put in by itself.
@Suite struct VocabularyTests {
  private func read(_ json: String) throws -> Vocabulary {
    var parser = JSONReader(Array(json.utf8)[...])
    let vocabulary = try Vocabulary(reading: &parser)
    try parser.end()
    return vocabulary
  }

  @Test func aHashIsThatOfItsBytesOneByOne() {
    var random = SeededRandom()
    for count in 0...40 {
      let piece = random.bytes(count)
      var hash = PieceHash()
      for byte in piece { hash.add(byte) }
      let whole = PieceHash.of(piece.span)
      #expect(hash.value == whole.value && hash.count == whole.count, "seed \(random.seed), \(piece)")
      #expect(whole.isExact == (count <= 8))
      for place in 0..<min(count, 8) where count <= 8 {
        var other = piece
        other[place] ^= 1
        #expect(PieceHash.of(other.span).value != whole.value)
      }
    }
  }

  @Test func piecesOfAllLengthsAreFound() throws {
    var random = SeededRandom()
    var pieces: [[UInt8]: Int32] = [:]
    var vocabulary = Vocabulary()
    for count in 0...40 {
      for _ in 0..<60 {
        // Few letters, so that many pieces begin and end alike.
        let piece = (0..<count).map { _ in UInt8.random(in: 0x61...0x63, using: &random) }
        guard pieces[piece] == nil else { continue }
        let id = pieces.count
        pieces[piece] = Int32(id)
        try vocabulary.insert(piece.span, id: id)
      }
    }
    for (piece, id) in pieces {
      #expect(vocabulary.id(of: piece.span) == id)
      for guess in [id, id - 1, id + 1, -1, .max] {
        #expect(vocabulary.id(of: piece.span, near: guess) == id, "seed \(random.seed)")
      }
      var other = piece + [0x64]
      #expect(vocabulary.id(of: other.span) == nil)
      other.swapAt(0, piece.count)
      #expect(vocabulary.id(of: other.span, near: id) == nil)
    }
  }

  @Test func whatIsReadIsWhatIsPutIn() throws {
    let vocabulary = try read(
      """
      {"a": 2, "\\u00e9": 0 , "": 1,
                 "a piece of more than eight bytes" : 9, "\\"\\\\": 4, "日本": 5}
      """)
    #expect(vocabulary.count == 6 && vocabulary.idLimit == 10)
    let expected: [(String, Int32)] = [
      ("a", 2), ("é", 0), ("", 1), ("a piece of more than eight bytes", 9), ("\"\\", 4), ("日本", 5),
    ]
    for (piece, id) in expected {
      #expect(vocabulary.id(of: piece) == id)
      #expect(vocabulary.piece(of: id) == piece)
    }
    #expect(vocabulary.piece(of: 3) == nil && vocabulary.id(of: "b") == nil)
    #expect(vocabulary.longest == 32)
  }

  @Test func whatIsMalformedIsNamedWithItsPlace() throws {
    for (json, problem) in [
      (#"{"a": 0, "b": 1, "a": 2, "c": 3}"#, "the piece 'a' appears twice"),
      (#"{"a": 0, "b": 1, "c": 1, "d": 3}"#, "the id 1 is of two pieces, one of them 'c'"),
      (#"{"a": 0, "b": 1, "c": 99999999}"#, "the piece 'c' has the id 99999999"),
    ] {
      let error = try #require(throws: ApusError.self) { try read(json) }
      #expect(error.problem == problem)
      #expect(error.location?.hasPrefix("JSON, line 1, column ") == true, "\(error)")
    }
  }

  /// Two halves of a character make text as a whole.
  @Test func eachPieceIsUTF8ByItself() throws {
    for halves in [[[0xC3], [0xA9]], [[0x61, 0xC3], [0x62]], [[0x61], [0xA9]]] as [[[UInt8]]] {
      let json = Array(#"{""#.utf8) + halves[0] + Array(#"": 0, ""#.utf8) + halves[1] + Array(#"": 1}"#.utf8)
      var parser = JSONReader(json[...])
      let error = try #require(throws: ApusError.self) { try Vocabulary(reading: &parser) }
      #expect(error.problem == "text that is not UTF-8")
    }
  }

  @Test func pairsAreReadInBothForms() throws {
    let pieces = try read(#"{"a": 0, "b": 1, "ab": 2, "é": 3, "abé": 4, "\"": 5, "\"a": 6}"#)
    for json in [
      ##"["#version: 0.2", "a b", "ab \u00e9", "\" a"]"##, #"[["a", "b"], [ "ab" , "\u00e9" ] ,["\"","a"]]"#,
    ] {
      var parser = JSONReader(Array(json.utf8)[...])
      let table = try MergeList(reading: &parser).table(in: pieces, continuation: "")
      #expect(table.result(0, 1) == 2)
      #expect(table.result(2, 3) == 1 << 32 | 4)
      #expect(table.result(5, 0) == 2 << 32 | 6)
      #expect(table.result(1, 0) == MergeTable.none)
    }
    for json in [#"["ab"]"#, #"["a b c"]"#, #"[["a"]]"#, #"[["a", "b", "c"]]"#, #"["a b""#, "[1]"] {
      #expect(throws: ApusError.self) {
        var parser = JSONReader(Array(json.utf8)[...])
        _ = try MergeList(reading: &parser)
      }
    }
  }
}

import TensorCore
import TestSupport
import Testing

@testable import Text

@Suite("Models of tokenizers")
struct TokenModelTests {
  private func vocabulary(_ pieces: [String]) throws -> Vocabulary {
    var vocabulary = Vocabulary()
    for (id, piece) in pieces.enumerated() { try vocabulary.insert(Array(piece.utf8).span, id: id) }
    return vocabulary
  }

  private func merges(_ pairs: [(String, String)]) -> MergeList {
    var list = MergeList()
    for (left, right) in pairs { list.append(Array(left.utf8).span, Array(right.utf8).span) }
    return list
  }

  private func ids(_ model: any TokenModel, _ text: String) -> [Int32] {
    var ids: [Int32] = [99]
    model.appendIDs(of: Array(text.utf8)[...], to: &ids)
    return Array(ids.dropFirst())
  }

  @Test("a vocabulary finds what was put into it, and nothing else")
  func vocabulary() throws {
    var random = SeededRandom()
    var vocabulary = Vocabulary()
    var expected: [[UInt8]: Int] = [:]
    for id in 0..<3000 {
      let piece = random.bytes(Int.random(in: 0...4, using: &random))
      guard expected[piece] == nil else { continue }
      try vocabulary.insert(piece.span, id: 3 * id)
      expected[piece] = 3 * id
    }
    for (piece, id) in expected {
      #expect(vocabulary.id(of: piece.span) == Int32(id), "seed \(random.seed)")
      #expect(vocabulary.bytes(of: Int32(id)).map { Array($0) } == piece)
      #expect(vocabulary.bytes(of: Int32(id + 1)) == nil)
    }
    #expect(vocabulary.id(of: [1, 2, 3, 4, 5].span) == nil)
    #expect(vocabulary.bytes(of: -1) == nil && vocabulary.bytes(of: .max) == nil)
  }

  @Test("a vocabulary refuses equal pieces, equal ids and ids far out")
  func vocabularyRefusals() throws {
    var vocabulary = try vocabulary(["a", "b"])
    #expect(throws: ApusError.self) { try vocabulary.insert([0x61].span, id: 7) }
    #expect(throws: ApusError.self) { try vocabulary.insert([0x63].span, id: 1) }
    #expect(throws: ApusError.self) { try vocabulary.insert([0x63].span, id: -1) }
    #expect(throws: ApusError.self) { try vocabulary.insert([0x63].span, id: 1 << 40) }
    try vocabulary.insert([0x63].span, id: 1000)
    #expect(vocabulary.idLimit == 1001 && vocabulary.count == 3)
  }

  @Test("WordPiece takes the longest piece, and the unknown one for a word it cannot cut")
  func wordPiece() throws {
    let model = try WordPiece(
      vocabulary: try vocabulary(["[UNK]", "un", "##aff", "##able", "##a", "aff", "##é", "un##"]),
      maximumCharacters: 9)
    #expect(ids(model, "unaffable") == [1, 2, 3])
    #expect(ids(model, "affa") == [5, 4])
    #expect(ids(model, "unx") == [0])
    #expect(ids(model, "unéé") == [1, 6, 6])
    #expect(ids(model, "ununununun") == [0])
    #expect(ids(model, "unééééééé") == [1, 6, 6, 6, 6, 6, 6, 6])
    #expect(throws: ApusError.self) { try WordPiece(vocabulary: try vocabulary(["a"])) }
  }

  @Test("pairs are joined in order of rank, then from the left")
  func pairs() throws {
    let vocabulary = try vocabulary(["a", "b", "c", "ab", "bc", "abc", "aa", "aaaa"])
    let model = try BytePairEncoding(
      vocabulary: vocabulary,
      merges: merges([("b", "c"), ("a", "b"), ("a", "bc"), ("a", "a"), ("aa", "aa")]),
      options: .init())
    #expect(ids(model, "abc") == [5])
    #expect(ids(model, "ab") == [3])
    #expect(ids(model, "aaa") == [6, 0])
    #expect(ids(model, "aaaaa") == [7, 0])
    #expect(ids(model, "axc") == [0, 2])
    #expect(ids(model, "axb") == [3], "characters that are left out leave no gap")
    #expect(ids(model, "") == [])
  }

  @Test("long words are joined as short ones are")
  func longWords() throws {
    var random = SeededRandom()
    let letters = ["a", "b", "c"]
    let two = letters.flatMap { a in letters.map { a + $0 } }
    let four = two.flatMap { a in two.map { a + $0 } }
    var pairs = letters.flatMap { a in letters.map { (a, $0) } } + two.flatMap { a in two.map { (a, $0) } }
    pairs.shuffle(using: &random)
    let list = merges(Array(pairs.prefix(60)))
    let table = try list.table(in: try vocabulary(letters + two + four), continuation: "")
    let merger = PairMerger(merges: table, longestPiece: 4)
    for _ in 0..<200 {
      let word = (0..<Int.random(in: 33...200, using: &random)).map { _ in
        Int32.random(in: 0..<3, using: &random)
      }
      var joined = word
      merger.merge(&joined, from: 0)
      #expect(joined == naive(word, table), "seed \(random.seed): \(word)")
    }
  }

  @Test("very long words are joined in windows as a whole")
  func windows() throws {
    var random = SeededRandom()
    let letters = ["a", "b", "c"]
    var pieces = letters
    for round in 0..<40 {
      // Pairs of pieces that there are, some of which join what others do.
      var list: [(String, String)] = []
      pieces = letters
      for _ in 0..<30 {
        guard let left = pieces.randomElement(using: &random),
          let right = pieces.randomElement(using: &random),
          (left + right).count <= 9, !list.contains(where: { $0 == (left, right) })
        else { continue }
        list.append((left, right))
        if !pieces.contains(left + right) { pieces.append(left + right) }
      }
      if round % 2 == 1 { list.shuffle(using: &random) }
      let table = try merges(list).table(in: try vocabulary(pieces), continuation: "")
      var merger = PairMerger(merges: table, longestPiece: 9)
      merger.leastWindow = 1
      let word = (0..<500).map { _ in Int32.random(in: 0..<(round % 3 == 0 ? 1 : 3), using: &random) }
      let expected = naive(word, table)
      var joined = [7] + word
      merger.merge(&joined, from: 1)
      #expect(joined == [7] + expected, "seed \(random.seed), round \(round)")
      var (window, start) = (PairMerger.Window(ids: word), [Int32(7)])
      merger.merge(&window, isLast: true, limit: 20, to: &start)
      #expect(start.count > 20 && start.dropFirst().prefix(20) == expected.prefix(20)[...])
      var (parts, result) = (PairMerger.Window(), [Int32]())
      for id in word {
        parts.ids.append(id)
        merger.merge(&parts, isLast: false, limit: .max, to: &result)
        #expect(result == Array(expected.prefix(result.count)))
      }
      merger.merge(&parts, isLast: true, limit: .max, to: &result)
      #expect(result == expected)
    }
  }

  private func naive(_ word: [Int32], _ table: MergeTable) -> [Int32] {
    var word = word
    while true {
      let results = zip(word, word.dropFirst()).map { table.result($0, $1) }
      guard let best = results.min(), best != MergeTable.none, let place = results.firstIndex(of: best) else {
        return word
      }
      word.replaceSubrange(place...(place + 1), with: [Int32(truncatingIfNeeded: best)])
    }
  }

  @Test("unknown characters are joined, left out, or spelt in bytes")
  func unknownCharacters() throws {
    let pieces = try vocabulary(["<unk>", "a", "<0xC3>", "<0xA9>"])
    var options = BytePairEncoding.Options()
    #expect(
      ids(try BytePairEncoding(vocabulary: pieces, merges: MergeList(), options: options), "axya") == [1, 1])
    options.unknownPiece = "<unk>"
    #expect(
      ids(try BytePairEncoding(vocabulary: pieces, merges: MergeList(), options: options), "axya") == [
        1, 0, 0, 1,
      ])
    options.joinsUnknown = true
    #expect(
      ids(try BytePairEncoding(vocabulary: pieces, merges: MergeList(), options: options), "axya") == [
        1, 0, 1,
      ])
    options.fallsBackToBytes = true
    #expect(
      ids(try BytePairEncoding(vocabulary: pieces, merges: MergeList(), options: options), "aéx") == [
        1, 2, 3, 0,
      ])
  }

  @Test("pairs that the vocabulary lacks are refused by name")
  func missingPieces() throws {
    for pair in [("a", "x"), ("x", "a"), ("b", "a")] {
      let error = #expect(throws: ApusError.self) {
        try BytePairEncoding(
          vocabulary: try vocabulary(["a", "b", "ab"]), merges: merges([("a", "b"), pair]), options: .init())
      }
      #expect(error?.location == "model.merges[1]")
    }
  }

  @Test("a queue gives its least element first")
  func queue() {
    var random = SeededRandom()
    for count in 0..<40 {
      let values = (0..<count).map { _ in Int.random(in: 0..<20, using: &random) }
      var queue = MinimumQueue<Int>()
      for value in values.prefix(count / 2) { queue.appendUnordered(value) }
      queue.order()
      for value in values.dropFirst(count / 2) { queue.insert(value) }
      var sorted: [Int] = []
      while let least = queue.removeMinimum() { sorted.append(least) }
      #expect(sorted == values.sorted(), "seed \(random.seed)")
    }
  }

  @Test("every byte has a character of its own")
  func byteCharacters() {
    #expect(Set(ByteLevel.characters).count == 256)
    let all = (0...255).map { UInt8($0) }
    #expect(ByteLevel.bytes(of: ByteLevel.characters(for: all.span).span) == all)
    #expect(ByteLevel.characters[0x20] == 0x120 && ByteLevel.characters[0x0A] == 0x10A)
    #expect(ByteLevel.bytes(of: Array("東".utf8).span) == nil)
  }
}

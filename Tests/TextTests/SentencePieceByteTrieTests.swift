import TestSupport
import Testing
import Text

/// The prefix tree holds what a dictionary would.
@Suite struct SentencePieceByteTrieTests {
  @Test func agreesWithADictionary() throws {
    var random = SeededRandom()
    var (trie, dictionary) = (ByteTrie(), [[UInt8]: Int32]())
    for value in 0..<Int32(3000) {
      let key = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        UInt8.random(in: 250...255, using: &random)
      }
      try trie.insert(key, value)
      dictionary[key] = value
    }
    for (key, value) in dictionary { #expect(trie.value(of: key) == value, "seed \(random.seed)") }
    for _ in 0..<3000 {
      let key = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        UInt8.random(in: 249...255, using: &random)
      }
      #expect(trie.value(of: key) == dictionary[key] ?? ByteTrie.none, "seed \(random.seed)")
    }
  }

  @Test func holdsAllBytes() throws {
    var trie = ByteTrie()
    for first in UInt8.min...255 {
      for second in UInt8.min...255 { try trie.insert([first, second], Int32(first) << 8 | Int32(second)) }
    }
    for first in UInt8.min...255 {
      #expect(trie.value(of: [first]) == ByteTrie.none)
      for second in UInt8.min...255 {
        #expect(trie.value(of: [first, second]) == Int32(first) << 8 | Int32(second))
      }
    }
  }

  @Test func refusesLongKeys() throws {
    var trie = ByteTrie()
    try trie.insert([UInt8](repeating: 1, count: 1024), 0)
    #expect(throws: (any Error).self) { try trie.insert([UInt8](repeating: 1, count: 1025), 0) }
  }
}

import TensorCore
import TestSupport
import Testing
import Text

/// A double array finds the keys that the tree it was made of has.
@Suite struct DoubleArrayTrieTests {
  private func keys(_ trie: DoubleArrayTrie, _ text: [UInt8], at start: Int) -> [[Int]] {
    var found: [[Int]] = []
    trie.forEachKey(of: text.span, at: start) { found.append([Int($0), $1]) }
    return found
  }

  /// Keys of few bytes that differ, which crowd, and of all there are, NUL too.
  @Test(arguments: [250...255, 0...255, 0x60...0x7f] as [ClosedRange<UInt8>])
  func agreesWithADictionary(_ bytes: ClosedRange<UInt8>) throws {
    var random = SeededRandom()
    var (trie, dictionary) = (ByteTrie(), [[UInt8]: Int32]())
    for value in 0..<Int32(20_000) {
      let key = (0..<Int.random(in: 1...7, using: &random)).map { _ in UInt8.random(in: bytes, using: &random)
      }
      try trie.insert(key, value)
      dictionary[key] = value
    }
    let array = try DoubleArrayTrie(trie)
    for (key, value) in dictionary {
      #expect(keys(array, key, at: 0).last == [Int(value), key.count], "seed \(random.seed)")
    }
    let text = (0..<5000).map { _ in UInt8.random(in: bytes, using: &random) }
    for start in text.indices {
      let wanted = (1...7).compactMap { length -> [Int]? in
        guard start + length <= text.count, let value = dictionary[Array(text[start..<start + length])] else {
          return nil
        }
        return [Int(value), start + length]
      }
      #expect(keys(array, text, at: start) == wanted, "seed \(random.seed)")
    }
  }

  @Test func findsNothingInNothing() throws {
    let array = try DoubleArrayTrie(ByteTrie())
    for byte in UInt8.min...255 { #expect(keys(array, [byte, byte], at: 0).isEmpty) }
    #expect(keys(array, [], at: 0).isEmpty)
  }

  /// A node with every byte below it fills a block.
  @Test func holdsAllPairs() throws {
    var trie = ByteTrie()
    for first in UInt8.min...255 {
      for second in UInt8.min...255 { try trie.insert([first, second], Int32(first) << 8 | Int32(second)) }
    }
    let array = try DoubleArrayTrie(trie)
    for first in UInt8.min...255 {
      for second in UInt8.min...255 {
        #expect(keys(array, [first, second, 0], at: 0) == [[Int(first) << 8 | Int(second), 2]])
      }
    }
  }

  /// Of nodes with more than half of all bytes below them no two share a block. The root finds room in one of theirs.
  @Test func refusesTooManyUnits() throws {
    var trie = ByteTrie()
    for prefix in 0..<UInt8(100) {
      for last in 0..<UInt8(129) { try trie.insert([prefix, last], 0) }
    }
    #expect(throws: Never.self) { _ = try DoubleArrayTrie(trie, unitLimit: 101 * 256) }
    #expect(throws: ApusError.self) { _ = try DoubleArrayTrie(trie, unitLimit: 100 * 256) }
  }
}

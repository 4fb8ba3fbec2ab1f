import TestSupport
import Testing

@testable import ApusPhotos

/// What is found without comparing all pairs is what comparing all pairs finds.
@Suite struct NearHashesTests {
  /// Hashes around a few others, at 0 to `spread` bits, so that distances on both sides of the limit are common.
  private func hashes(_ count: Int, around centres: Int, spread: Int, _ random: inout SeededRandom)
    -> [UInt64]
  {
    let centres = (0..<centres).map { _ in random.next() }
    let hashes = (0..<count).map { _ in
      (0..<Int.random(in: 0...spread, using: &random)).reduce(centres.randomElement(using: &random) ?? 0) {
        hash, _ in
        hash ^ 1 << UInt64.random(in: 0..<64, using: &random)
      }
    }
    return Set(hashes).sorted()
  }

  private func allPairs(_ hashes: [UInt64], within distance: Int) -> [NearHashes.Pair] {
    hashes.indices.flatMap { first in
      (first + 1..<hashes.count).filter { (hashes[first] ^ hashes[$0]).nonzeroBitCount <= distance }
        .map { NearHashes.Pair(first: Int32(first), second: Int32($0)) }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 6, 7, 9, 12, 16, 30])
  func allNearPairsAreFoundOnce(_ distance: Int) {
    var random = SeededRandom(seed: UInt64(distance))
    let hashes = hashes(600, around: 20, spread: distance + 4, &random)
    let expected = allPairs(hashes, within: distance)
    #expect(!expected.isEmpty || distance == 0)
    #expect(NearHashes(within: distance).pairs(of: hashes) == expected, "seed \(random.seed)")
  }

  /// Six bits that differ lie in as many bands as can be, or all in one.
  @Test func whereverTheBitsLie() {
    for start in 0..<64 {
      for step in 1...16 {
        let hash = (0..<6).reduce(0 as UInt64) { $0 ^ 1 << UInt64((start + $1 * step) % 64) }
        let found = NearHashes(within: 6).pairs(of: [0, hash])
        #expect(found.count == 1, "\(String(hash, radix: 2))")
      }
    }
    let seven = (0..<7).reduce(0 as UInt64) { $0 ^ 1 << UInt64($1 * 9) }
    #expect(NearHashes(within: 6).pairs(of: [0, seven]).isEmpty)
  }

  @Test func noneAndOne() {
    #expect(NearHashes(within: 6).pairs(of: []).isEmpty)
    #expect(NearHashes(within: 6).pairs(of: [7]).isEmpty)
  }
}

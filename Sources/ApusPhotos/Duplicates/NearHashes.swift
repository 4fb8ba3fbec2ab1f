/// Finds pairs among many 64-bit hashes that differ in a few bits, without comparing all with all.
///
/// Of at least d + 2 bands that the bits are cut into, two are the same in hashes that differ in d bits, wherever these
/// lie. So it is enough to compare the hashes that share a pair of bands, for each pair of bands: of a million random
/// hashes and eight bands, 28 times 15 with each other (multi-index hashing after Norouzi, Punjani and Fleet 2012,
/// with pairs of bands looked up as they are).
struct NearHashes {
  /// Places in the list of hashes, the smaller first.
  struct Pair: Hashable {
    let first: Int32
    let second: Int32
  }

  private struct Band {
    let shift: Int
    let width: Int

    func value(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> UInt64(shift)) & (1 << width - 1) }
  }

  private let bands: [Band]
  private let distance: Int

  /// - Parameter distance: the most bits that two hashes may differ in, 0 to 30.
  init(within distance: Int) {
    self.distance = distance
    // Eight at least: the value of two bands is sorted by counting.
    let count = max(8, distance + 2)
    bands = (0..<count).map { band in
      let (start, end) = (64 * band / count, 64 * (band + 1) / count)
      return Band(shift: start, width: end - start)
    }
  }

  /// All near pairs, each once, sorted. If all hashes are near one another, these are all pairs.
  /// - Parameter hashes: each different; fewer than 2 147 483 648.
  func pairs(of hashes: [UInt64]) -> [Pair] {
    var pairs: [Pair] = []
    var sorted = (hashes: hashes, places: [Int32](repeating: 0, count: hashes.count))
    for second in bands.indices {
      for first in 0..<second {
        let starts = sort(hashes, into: &sorted, by: bands[first], bands[second])
        for bucket in 1..<starts.count where starts[bucket] - starts[bucket - 1] > 1 {
          compare(starts[bucket - 1]..<starts[bucket], of: sorted, first, second, &pairs)
        }
      }
    }
    return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Sorts by the values of two bands, by counting.
  /// - Returns: where each value begins, and the end.
  private func sort(
    _ hashes: [UInt64], into sorted: inout (hashes: [UInt64], places: [Int32]), by first: Band, _ second: Band
  ) -> [Int] {
    let key = { (hash: UInt64) in first.value(hash) << second.width | second.value(hash) }
    var ends = [Int](repeating: 0, count: 1 << (first.width + second.width) + 1)
    for hash in hashes { ends[key(hash) + 1] += 1 }
    for value in 1..<ends.count { ends[value] += ends[value - 1] }
    let starts = ends
    for (place, hash) in hashes.enumerated() {
      let target = ends[key(hash)]
      sorted.hashes[target] = hash
      sorted.places[target] = Int32(truncatingIfNeeded: place)
      ends[key(hash)] += 1
    }
    return starts
  }

  private func compare(
    _ bucket: Range<Int>, of sorted: (hashes: [UInt64], places: [Int32]), _ first: Int, _ second: Int,
    _ pairs: inout [Pair]
  ) {
    for one in bucket {
      let hash = sorted.hashes[one]
      for other in one + 1..<bucket.upperBound {
        let difference = hash ^ sorted.hashes[other]
        guard difference.nonzeroBitCount <= distance, isFirst(first, second, in: difference) else { continue }
        // Sorting by counting keeps the order of places.
        pairs.append(Pair(first: sorted.places[one], second: sorted.places[other]))
      }
    }
  }

  /// Whether two bands are the first that are the same, so that a pair which shares more is found once.
  private func isFirst(_ first: Int, _ second: Int, in difference: UInt64) -> Bool {
    !(0..<second).contains { $0 != first && bands[$0].value(difference) == 0 }
  }
}

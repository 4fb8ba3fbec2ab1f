/// For each of many hashes, which may be the same, those that are near, each different one at a place of its own.
struct HashNeighbours {
  /// The place of each hash that was given.
  private let places: [Int]
  /// The other places near each place.
  private let neighbours: [[Int32]]

  init(_ hashes: [UInt64], within distance: Int) {
    var places = [Int](repeating: 0, count: hashes.count)
    var different: [UInt64] = []
    for index in hashes.indices.sorted(by: { hashes[$0] < hashes[$1] }) {
      if different.last != hashes[index] { different.append(hashes[index]) }
      places[index] = different.count - 1
    }
    self.places = places
    var neighbours = [[Int32]](repeating: [], count: different.count)
    for pair in NearHashes(within: distance).pairs(of: different) {
      neighbours[Int(pair.first)].append(pair.second)
      neighbours[Int(pair.second)].append(pair.first)
    }
    self.neighbours = neighbours
  }

  /// How many places there are.
  var count: Int { neighbours.count }

  /// The place of a hash, by its place in the list that was given.
  func place(of index: Int) -> Int { places[index] }

  /// The places of what is near it, its own among them.
  func near(_ index: Int) -> [Int] { [places[index]] + neighbours[places[index]].map(Int.init) }
}

import TensorCore

/// Groups of pictures that are one, or alike. The results depend on the pictures only, not on their order.
package enum Duplicates {
  /// Contents of which there are several files. Links to one file are one file; of these the oldest is the first.
  package static func sameBytes(_ pictures: [ComparedPicture]) -> [DuplicateGroup] {
    let ranked = RankedPictures(pictures.filter { $0.files.count > 1 })
    return ranked.indices.compactMap { rank in
      let picture = ranked[rank]
      let files = picture.pathsOfFiles
      guard files.count > 1 else { return nil }
      let members = files.map {
        DuplicateGroup.Member(
          content: picture.content, files: [$0], differentBits: picture.hash.map { _ in 0 }, cosine: 1)
      }
      return DuplicateGroup(level: .sameBytes, members: members)
    }
  }

  /// Files of the same picture: of one content, or of contents whose hashes and embeddings are within the limits, and whose
  /// sides have one ratio, within a hundredth or a pixel. A content without a hash or an embedding is in no group with others.
  /// - Parameter cosine: the cosine of two contents' embeddings; nil if one has none. It is called for pairs with near
  ///   hashes only.
  package static func samePicture(
    _ pictures: [ComparedPicture], _ limits: DuplicateLimits,
    cosine: (Int64, Int64) throws(ApusError) -> Float?
  ) throws(ApusError) -> [DuplicateGroup] {
    let ranked = RankedPictures(pictures.filter { $0.hash != nil || $0.files.count > 1 })
    let hashes = HashNeighbours(ranked.indices.map { ranked[$0].hash ?? 0 }, within: limits.differentBits)
    var groups = RankedGroups(count: ranked.indices.count)
    var firsts = FirstsByPlace(places: hashes.count, pictures: ranked.indices.count)
    for index in ranked.indices {
      let picture = ranked[index]
      var near: [(first: Int, cosine: Float)] = []
      for place in picture.hash == nil ? [] : hashes.near(index) {
        for first in firsts.at(place) where picture.hasAspect(of: ranked[first]) {
          guard let cosine = try cosine(ranked[first].content, picture.content),
            cosine >= limits.leastCosine(of: ranked[first], and: picture)
          else { continue }
          near.append((first, cosine))
        }
      }
      if !groups.add(index, near), picture.hash != nil { firsts.add(index, at: hashes.place(of: index)) }
    }
    return groups.found(.samePicture, of: ranked, withCopies: true)
  }

  /// Contents whose embeddings are near, whatever else they are.
  /// - Parameters:
  ///   - pairs: contents and their cosines; others are not alike. Of a pair that comes twice the higher counts.
  ///   - least: the least cosine.
  ///   - same: groups that were found already; of each, the first stands for all.
  package static func alike(
    _ pictures: [ComparedPicture], pairs: [(Int64, Int64, cosine: Float)], atLeast least: Float,
    besides same: [DuplicateGroup] = []
  ) -> [DuplicateGroup] {
    var others: Set<Int64> = []
    for group in same {
      others.formUnion(group.members.map(\.content).filter { $0 != group.members.first?.content })
    }
    let ranked = RankedPictures(pictures.filter { !others.contains($0.content) })
    let ranks = Dictionary(ranked.indices.map { (ranked[$0].content, $0) }) { first, _ in first }
    var better = [[Int: Float]](repeating: [:], count: ranked.indices.count)
    for (one, other, cosine) in pairs where cosine >= least {
      guard let one = ranks[one], let other = ranks[other], one != other else { continue }
      let (first, second) = (min(one, other), max(one, other))
      better[second][first] = max(cosine, better[second][first] ?? cosine)
    }
    var groups = RankedGroups(count: ranked.indices.count)
    for index in ranked.indices {
      _ = groups.add(index, better[index].filter { groups.isFirst($0.key) }.map { ($0.key, $0.value) })
    }
    return groups.found(.alike, of: ranked)
  }
}

/// The firsts of groups, by the place of their hash: lists whose links lie in two arrays, as there are a million
/// lists of one.
struct FirstsByPlace {
  /// The last that was added at each place, and what was added there before each; -1 where there is none.
  private var last: [Int32]
  private var before: [Int32]

  init(places: Int, pictures: Int) {
    last = Array(repeating: -1, count: places)
    before = Array(repeating: -1, count: pictures)
  }

  mutating func add(_ index: Int, at place: Int) {
    before[index] = last[place]
    last[place] = Int32(truncatingIfNeeded: index)
  }

  func at(_ place: Int) -> some Sequence<Int> {
    sequence(first: Int(last[place])) { Int(before[$0]) }.prefix { $0 >= 0 }
  }
}

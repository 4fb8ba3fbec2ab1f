/// Groups around their best pictures. Pictures are added the best first; one that is within the limits of the first of
/// a group joins it, that of the highest cosine where there are several, and any other is the first of a group. So no
/// group is a chain, and no first is within the limits of another.
struct RankedGroups {
  /// The first of each picture's group, and the cosine with it; nil for pictures not added yet.
  private var places: [(first: Int, cosine: Float)?]

  init(count: Int) { places = Array(repeating: nil, count: count) }

  func isFirst(_ index: Int) -> Bool { places[index]?.first == index }

  /// - Parameter near: firsts of groups within whose limits the picture is.
  /// - Returns: whether it joined one of them.
  mutating func add(_ index: Int, _ near: [(first: Int, cosine: Float)]) -> Bool {
    let nearest = near.max { ($0.cosine, $1.first) < ($1.cosine, $0.first) }
    places[index] = nearest ?? (index, 1)
    return nearest != nil
  }

  /// The groups of two pictures and more, the group with the best picture first.
  /// - Parameter withCopies: whether a picture of several files is a group by itself.
  func found(
    _ level: DuplicateLevel, of ranked: RankedPictures, withCopies: Bool = false
  ) -> [DuplicateGroup] {
    var members: [Int: [DuplicateGroup.Member]] = [:]
    let member = { (index: Int, first: Int, cosine: Float) in
      DuplicateGroup.Member(
        content: ranked[index].content, files: ranked[index].pathsOfFiles,
        differentBits: ranked[index].differentBits(from: ranked[first]), cosine: cosine)
    }
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      if place.first != index {
        members[place.first, default: [member(place.first, place.first, 1)]]
          .append(member(index, place.first, place.cosine))
      } else if withCopies, ranked[index].files.count > 1 {
        members[index] = [member(index, index, 1)]
      }
    }
    return members.sorted { $0.key < $1.key }.map { DuplicateGroup(level: level, members: $0.value) }
      .filter { $0.members.count > 1 || $0.members.allSatisfy { $0.files.count > 1 } }
  }
}

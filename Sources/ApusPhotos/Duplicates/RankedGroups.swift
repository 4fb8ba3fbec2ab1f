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

  /// The groups of two and more, that of the best picture first.
  func found(_ level: DuplicateLevel, of ranked: RankedPictures) -> [DuplicateGroup] {
    var members: [Int: [DuplicateGroup.Member]] = [:]
    let member = { (index: Int, first: Int, cosine: Float) in
      DuplicateGroup.Member(
        content: ranked[index].content, files: ranked[index].pathsOfFiles,
        differentBits: ranked[index].differentBits(from: ranked[first]), cosine: cosine)
    }
    for (index, place) in places.enumerated() {
      guard let place, place.first != index else { continue }
      members[place.first, default: [member(place.first, place.first, 1)]]
        .append(member(index, place.first, place.cosine))
    }
    return members.sorted { $0.key < $1.key }.map { DuplicateGroup(level: level, members: $0.value) }
  }
}

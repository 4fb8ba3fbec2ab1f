import TensorCore

/// Which classes of two lists are the same, by their names.
///
/// A name may stand for several classes: ImageNet has two cranes. Where both lists have it as often, the first of the one
/// is the first of the other.
struct ClassCorrespondence {
  /// For each class its position in the other list; nil without a counterpart.
  private(set) var positions: [Int?]
  /// Positions of classes that share their name with others, unless all classes are moved by the same number of places,
  /// which tells them apart too.
  private(set) var toldByOrder: Set<Int> = []

  /// What names are compared by: first their bytes, so that two that differ in little are two classes; nil for none.
  private static let readings: [@Sendable (String) -> AnyHashable?] = [
    { $0.isEmpty ? nil : ExactText($0) }, { reading(ClassName.normalized($0)) },
    { reading(ClassName.firstSynonym($0)) },
  ]

  private static func reading(_ name: String) -> AnyHashable? { name.isEmpty ? nil : name }

  /// - Parameter base: how many of `names` are the baseline's. The others, of further models, are looked at last.
  init(_ own: [String], in names: [String], base: Int) {
    positions = Array(repeating: nil, count: own.count)
    for part in [0..<base, base..<names.count] {
      for reading in Self.readings {
        let (mine, theirs) = (own.map(reading), names[part].map(reading))
        // Classes without a name are told by nothing else.
        if mine == theirs, positions.allSatisfy({ $0 == nil }) {
          positions = Array(part)
          return
        }
        match(mine, theirs, from: part.lowerBound)
      }
    }
    if isShift { toldByOrder = [] }
  }

  private mutating func match(_ own: [AnyHashable?], _ others: [AnyHashable?], from start: Int) {
    let taken = Set(positions.compactMap(\.self))
    let free = Self.places(others) { !taken.contains(start + $0) }
    for (name, mine) in Self.places(own, where: { positions[$0] == nil }) {
      guard let theirs = free[name], theirs.count == mine.count else { continue }
      for (place, other) in zip(mine, theirs) {
        positions[place] = start + other
        if mine.count > 1 { toldByOrder.insert(start + other) }
      }
    }
  }

  /// Where each name stands, in order.
  private static func places(
    _ names: [AnyHashable?], where isFree: (Int) -> Bool
  ) -> [AnyHashable: [Int]] {
    var places: [AnyHashable: [Int]] = [:]
    for (index, name) in names.enumerated() where isFree(index) {
      if let name { places[name, default: []].append(index) }
    }
    return places
  }

  private var isShift: Bool {
    let pairs = positions.enumerated().compactMap { place, position in position.map { ($0, $0 - place) } }
    let shifts = Set(pairs.filter { !toldByOrder.contains($0.0) }.map(\.1))
    return shifts.count == 1 && pairs.allSatisfy { shifts.contains($0.1) }
  }
}

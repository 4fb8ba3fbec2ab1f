/// How many files have an ending.
public struct EndingCount: Sendable, Hashable, Codable {
  /// The ending of their names in lower case, such as `mov`.
  public let ending: String
  /// How many they are.
  public internal(set) var count: Int
}

extension [EndingCount] {
  /// Counts one file more, in the order of the endings.
  mutating func add(_ ending: String) {
    let place = firstIndex { !$0.ending.utf8.lexicographicallyPrecedes(ending.utf8) } ?? count
    if place < count, self[place].ending.utf8.elementsEqual(ending.utf8) {
      self[place].count += 1
    } else {
      insert(EndingCount(ending: ending, count: 1), at: place)
    }
  }
}

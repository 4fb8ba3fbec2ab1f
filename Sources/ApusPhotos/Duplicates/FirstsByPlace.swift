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

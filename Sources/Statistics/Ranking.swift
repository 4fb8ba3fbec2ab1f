/// Places of classes by score.
package enum Ranking {
  /// The class of the greatest score, of equal ones the first; 0 for none.
  package static func best(_ scores: [Float]) -> Int {
    var best = 0
    for index in scores.indices where scores[index] > scores[best] { best = index }
    return best
  }

  /// All places, the greatest score first; of equal ones the lower place is first.
  package static func order(_ scores: [Float]) -> [Int] {
    scores.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
  }

  /// The places of the `count` greatest scores in that order, without sorting the others. None of them is NaN.
  package static func order(_ scores: [Float], count: Int) -> [Int] {
    // Sorting all is as fast where many of them are wanted.
    guard count < scores.count / 8 else { return Array(order(scores).prefix(max(count, 0))) }
    var best: [Int] = []
    for place in scores.indices
    where best.count < count || best.last.map({ scores[$0] < scores[place] }) ?? false {
      let rank = best.lastIndex { scores[$0] >= scores[place] }.map { $0 + 1 } ?? 0
      best.insert(place, at: rank)
      if best.count > count { best.removeLast() }
    }
    return best
  }

  /// How many classes stand before class `label`: those of greater score, and of equal score those before it. A
  /// sample is right within the top k when the place of its class is below k.
  package static func place(of label: Int, in scores: [Float]) -> Int {
    let score = scores[label]
    var place = 0
    for index in scores.indices {
      if scores[index] > score || (scores[index] == score && index < label) { place += 1 }
    }
    return place
  }
}

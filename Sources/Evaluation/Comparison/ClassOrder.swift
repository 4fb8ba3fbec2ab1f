/// The order in which a model has the baseline's classes, where that is another one.
///
/// The numbers of a class then stand elsewhere in the last layer's tensors and results. Which tensors have a place for each
/// class only their extents suggest, so both orders are tried, and the one counts in which the numbers are nearer.
struct ClassOrder: Sendable {
  /// For each class of the model its position in the baseline.
  let positions: [Int]

  /// Nil where the order is the same, or names do not tell.
  init?(_ own: [String]?, baseline: [String]?) {
    guard let own, let baseline, own.count == baseline.count else { return nil }
    let found = ClassCorrespondence(own, in: baseline, base: baseline.count).positions
    let known = found.compactMap(\.self)
    guard 2 * known.count >= own.count else { return nil }
    // Classes that only one of the two calls so are what is left over, in order.
    var rest = Set(baseline.indices).subtracting(known).sorted()[...]
    let positions = found.compactMap { $0 ?? rest.popFirst() }
    guard positions.count == own.count, positions != Array(baseline.indices) else { return nil }
    self.positions = positions
  }

  var count: Int { positions.count }

  /// The baseline's numbers where the model has them.
  /// - Parameter numbers: whole rows, each with one number of every class.
  func arranged(_ numbers: [Float]) -> [Float] {
    numbers.indices.map { index in
      let place = index % count
      return numbers[index - place + positions[place]]
    }
  }
}

import TensorCore

/// Examinations of stored tensors, each in the order of classes that its layer has.
struct OrderedExaminations {
  typealias Examined = (pair: StoredPairs.Pair, examination: WeightExamination)

  /// In the order of the file, without what does not stand for numbers, such as a list of positions.
  private(set) var examined: [Examined] = []

  /// Whether the matrix of a layer has its classes where the other model has them; of layers whose matrix tells.
  private var followsOrder: [String: Bool] = [:]

  /// The signal to noise in dB of a matrix that tells the order: less has little in common with the baseline's.
  private static let leastTelling = 6.0

  /// - Parameter order: where the other model has the baseline's classes; nil in the same places.
  init(_ stored: StoredPairs, order: ClassOrder?) {
    var examinations = [WeightExamination?](repeating: nil, count: stored.pairs.count)
    var vectors: [Int] = []
    for (index, pair) in stored.pairs.enumerated() {
      guard let baseline = try? pair.baseline() else { continue }
      if baseline.tensor.shape.rank < 2 {
        vectors.append(index)
      } else {
        examinations[index] = examineMatrix(baseline, pair, order)
      }
    }
    for index in vectors { examinations[index] = examineVector(stored.pairs[index], order) }
    for (pair, examination) in zip(stored.pairs, examinations) {
      if let examination { examined.append((pair, examination)) }
    }
  }

  /// In the order in which it is nearer to the other model's, which is noted.
  private mutating func examineMatrix(
    _ baseline: StoredNumbers, _ pair: StoredPairs.Pair, _ order: ClassOrder?
  ) -> WeightExamination? {
    guard let other = try? pair.other(), let own = try? WeightExamination(baseline, other) else { return nil }
    let best = Self.arranged(baseline, other, order)
    let ratios = (own: own.signalToNoise, arranged: best?.signalToNoise ?? -.infinity)
    if ratios.own != ratios.arranged, max(ratios.own, ratios.arranged) >= Self.leastTelling {
      followsOrder[pair.layer] = ratios.arranged > ratios.own
    }
    guard let best, ratios.arranged > ratios.own else { return own }
    return best
  }

  /// In the order of its layer's matrix: of two classes, the numbers are often each other's negatives, and a vector by
  /// itself would do in either order. Where no matrix tells, in the nearer.
  private func examineVector(_ pair: StoredPairs.Pair, _ order: ClassOrder?) -> WeightExamination? {
    guard let baseline = try? pair.baseline(), let other = try? pair.other(),
      let own = try? WeightExamination(baseline, other)
    else { return nil }
    let follows = followsOrder[pair.layer]
    guard follows != false, let arranged = Self.arranged(baseline, other, order) else { return own }
    return follows == true || arranged.signalToNoise > own.signalToNoise ? arranged : own
  }

  /// The nearest of those in the other model's order.
  private static func arranged(
    _ baseline: StoredNumbers, _ other: StoredNumbers, _ order: ClassOrder?
  ) -> WeightExamination? {
    var best: WeightExamination?
    for arranged in baseline.arranged(by: order) {
      guard let examination = try? WeightExamination(arranged, other) else { continue }
      if examination.signalToNoise > best?.signalToNoise ?? -.infinity { best = examination }
    }
    return best
  }
}

import TensorCore

/// Examinations of stored tensors, each in the order of classes that its layer has.
struct OrderedExaminations {
  /// A tensor and what was found.
  struct Examined {
    let pair: StoredPairs.Pair
    let examination: WeightExamination
    /// Whether it has the baseline's classes in their places, where the labels or its layer's matrix have them in others.
    let isOutOfOrder: Bool

    init(_ pair: StoredPairs.Pair, _ examination: WeightExamination, isOutOfOrder: Bool = false) {
      (self.pair, self.examination, self.isOutOfOrder) = (pair, examination, isOutOfOrder)
    }

    /// Nil where it is the baseline's but for rounding.
    var fault: WeightFault? { isOutOfOrder ? .outOfOrder : examination.fault }
  }

  /// A tensor in the baseline's order, and nearest to the other's in the other model's, where it has a place for each class.
  private struct Candidates {
    let own: WeightExamination
    let arranged: WeightExamination?

    /// The order in which it is nearer.
    var nearest: WeightExamination {
      guard let arranged, arranged.signalToNoise > own.signalToNoise else { return own }
      return arranged
    }

    /// Whether a matrix may give the scores of classes. Filters of several pixels do not.
    var mayBeHead: Bool { arranged != nil && own.shape.count(where: { $0 > 1 }) <= 2 }

    /// Whether a matrix is in the other model's order; nil where it does not tell.
    var followsOrder: Bool? {
      let ratios = (own: own.signalToNoise, arranged: arranged?.signalToNoise ?? -.infinity)
      guard ratios.own != ratios.arranged,
        max(ratios.own, ratios.arranged) >= OrderedExaminations.leastTelling
      else { return nil }
      return ratios.arranged > ratios.own
    }
  }

  /// In the order of the file, without what does not stand for numbers, such as a list of positions.
  private(set) var examined: [Examined] = []

  /// Whether the matrix of a layer has its classes where the other model has them; of layers whose matrix tells.
  private var followsOrder: [String: Bool] = [:]

  /// A layer of the classes, where its matrix has them in the baseline's places although the labels have others.
  private var layerOutOfOrder: String?

  /// The signal to noise in dB of a matrix that tells the order: less has little in common with the baseline's.
  private static let leastTelling = 6.0

  /// - Parameter order: where the other model has the baseline's classes; nil in the same places.
  init(_ stored: StoredPairs, order: ClassOrder?) {
    var matrices: [Int: Candidates] = [:]
    var vectors: [Int: Candidates] = [:]
    for (index, pair) in stored.pairs.enumerated() {
      guard let baseline = try? pair.baseline(), let candidates = Self.candidates(baseline, pair, order)
      else {
        continue
      }
      if baseline.tensor.shape.rank < 2 {
        vectors[index] = candidates
      } else {
        matrices[index] = candidates
        if let follows = candidates.followsOrder { followsOrder[pair.layer] = follows }
      }
    }
    layerOutOfOrder = findLayerOutOfOrder(stored.pairs, matrices, vectors)
    for (index, pair) in stored.pairs.enumerated() {
      if let matrix = matrices[index] {
        examined.append(examinedMatrix(pair, matrix))
      } else if let vector = vectors[index] {
        examined.append(examinedVector(pair, vector))
      }
    }
  }

  /// Where no layer follows the labels, the one whose matrix has a place for each class, of several the one with a vector
  /// that has them too. Beside a head that follows them, the one other of its shape. Of more nothing says which is the
  /// classes'.
  private func findLayerOutOfOrder(
    _ pairs: [StoredPairs.Pair], _ matrices: [Int: Candidates], _ vectors: [Int: Candidates]
  ) -> String? {
    var shapes: [String: [Int]] = [:]
    for (index, matrix) in matrices where matrix.mayBeHead { shapes[pairs[index].layer] = matrix.own.shape }
    let biased = Set(vectors.filter { $0.value.arranged != nil }.map { pairs[$0.key].layer })
    let withVector = shapes.filter { biased.contains($0.key) }
    var ofClasses = withVector.isEmpty ? shapes : withVector
    if followsOrder.values.contains(true) {
      let heads = Set(withVector.filter { followsOrder[$0.key] == true }.values)
      // As many inputs as classes may be those of any layer before the head.
      ofClasses = withVector.filter {
        followsOrder[$0.key] != true && heads.contains($0.value) && Set($0.value.filter { $0 > 1 }).count > 1
      }
    }
    guard ofClasses.count == 1, let layer = ofClasses.keys.first, followsOrder[layer] == false else {
      return nil
    }
    return layer
  }

  private func examinedMatrix(_ pair: StoredPairs.Pair, _ matrix: Candidates) -> Examined {
    guard pair.layer == layerOutOfOrder, matrix.arranged != nil else { return Examined(pair, matrix.nearest) }
    return Examined(pair, matrix.own, isOutOfOrder: true)
  }

  /// In the order of its layer's matrix, or of the labels where that is not in theirs: of two classes, the numbers are often
  /// each other's negatives, and a vector by itself would do in either order. Where no matrix tells, in the nearer.
  private func examinedVector(_ pair: StoredPairs.Pair, _ vector: Candidates) -> Examined {
    guard let arranged = vector.arranged else { return Examined(pair, vector.own) }
    guard let follows = followsOrder[pair.layer] else { return Examined(pair, vector.nearest) }
    guard follows || pair.layer == layerOutOfOrder else { return Examined(pair, vector.own) }
    let isOutOfOrder =
      arranged.fault != nil && vector.own.fault == nil && vector.own.signalToNoise >= Self.leastTelling
    return Examined(pair, isOutOfOrder ? vector.own : arranged, isOutOfOrder: isOutOfOrder)
  }

  private static func candidates(
    _ baseline: StoredNumbers, _ pair: StoredPairs.Pair, _ order: ClassOrder?
  ) -> Candidates? {
    guard let other = try? pair.other(), let own = try? WeightExamination(baseline, other) else { return nil }
    var best: WeightExamination?
    for arranged in baseline.arranged(by: order) {
      guard let examination = try? WeightExamination(arranged, other) else { continue }
      if examination.signalToNoise > best?.signalToNoise ?? -.infinity { best = examination }
    }
    return Candidates(own: own, arranged: best)
  }
}

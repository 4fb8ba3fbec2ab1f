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
  private var followsOrder: [ExactText: Bool] = [:]

  /// A layer of the classes, where its matrix has them in the baseline's places although the labels have others.
  private var layerOutOfOrder: ExactText?

  /// The signal to noise in dB of a matrix that tells the order: less has little in common with the baseline's.
  private static let leastTelling = 6.0

  /// - Parameter order: where the other model has the baseline's classes; nil in the same places.
  init(_ stored: StoredPairs, order: ClassOrder?) {
    var matrices: [Int: Candidates] = [:]
    var vectors: [Int: Candidates] = [:]
    var unseen = stored.unpaired
    for (index, pair) in stored.pairs.enumerated() {
      guard let baseline = try? pair.baseline(), let candidates = Self.candidates(baseline, pair, order)
      else {
        unseen.append(pair.outline)
        continue
      }
      if baseline.tensor.shape.rank < 2 {
        vectors[index] = candidates
      } else {
        matrices[index] = candidates
        if let follows = candidates.followsOrder { followsOrder[ExactText(pair.layer)] = follows }
      }
    }
    if let order {
      layerOutOfOrder = findLayerOutOfOrder(stored, matrices, vectors, unseen, classes: order.count)
    }
    for (index, pair) in stored.pairs.enumerated() {
      if let matrix = matrices[index] {
        examined.append(examinedMatrix(pair, matrix))
      } else if let vector = vectors[index] {
        examined.append(examinedVector(pair, vector))
      }
    }
  }

  /// Where no layer follows the labels, the one whose matrix has a place for each class, if it has a vector that has them
  /// too or is known for a head; of several the one head with such a vector. Beside a head that follows them, its one
  /// sibling of the same shape. Else nothing says which is the classes'.
  private func findLayerOutOfOrder(
    _ stored: StoredPairs, _ matrices: [Int: Candidates], _ vectors: [Int: Candidates],
    _ unseen: [StoredPairs.Outline], classes: Int
  ) -> ExactText? {
    let places = stored.places
    // One that was not looked at may be the classes' as well.
    guard
      !unseen.contains(where: { places.mayBeHead($0.layer) && Self.mayBeHead($0.shape, classes: classes) })
    else { return nil }
    var shapes: [ExactText: [Int]] = [:]
    for (index, matrix) in matrices where matrix.mayBeHead {
      let layer = stored.pairs[index].layer
      if places.mayBeHead(layer) { shapes[ExactText(layer)] = matrix.own.shape }
    }
    var biased = Set(
      vectors.filter { $0.value.arranged != nil }.map { ExactText(stored.pairs[$0.key].layer) })
    biased.formUnion(unseen.filter { $0.shape == [classes] }.map { ExactText($0.layer) })
    let withVector = shapes.filter { biased.contains($0.key) }
    let hasFollower = followsOrder.values.contains(true)
    var ofClasses = biased.isEmpty ? shapes : withVector
    if hasFollower {
      let heads = withVector.filter { followsOrder[$0.key] == true }
      // As many inputs as classes may be those of any layer before the head.
      ofClasses = withVector.filter { layer, shape in
        guard followsOrder[layer] != true, Set(shape.filter { $0 > 1 }).count > 1 else { return false }
        return heads.contains { $0.value == shape && places.areSiblings($0.key.text, layer.text) }
      }
    }
    guard ofClasses.count == 1, let layer = ofClasses.keys.first, followsOrder[layer] == false else {
      return nil
    }
    let isAlone = shapes.count == 1 && !biased.isEmpty && !hasFollower
    return isAlone || places.isHead(layer.text) ? layer : nil
  }

  /// Whether a tensor of these extents may be a matrix that gives the scores of so many classes.
  private static func mayBeHead(_ shape: [Int], classes: Int) -> Bool {
    guard shape.count > 1, shape.count(where: { $0 > 1 }) <= 2 else { return false }
    return shape.first == classes || shape.count == 2 && shape.last == classes
  }

  private func examinedMatrix(_ pair: StoredPairs.Pair, _ matrix: Candidates) -> Examined {
    guard ExactText(pair.layer) == layerOutOfOrder, matrix.arranged != nil else {
      return Examined(pair, matrix.nearest)
    }
    return Examined(pair, matrix.own, isOutOfOrder: true)
  }

  /// In the order of its layer's matrix, or of the labels where that is not in theirs: of two classes, the numbers are often
  /// each other's negatives, and a vector by itself would do in either order. Where no matrix tells, in the nearer.
  private func examinedVector(_ pair: StoredPairs.Pair, _ vector: Candidates) -> Examined {
    guard let arranged = vector.arranged else { return Examined(pair, vector.own) }
    guard let follows = followsOrder[ExactText(pair.layer)] else { return Examined(pair, vector.nearest) }
    guard follows || ExactText(pair.layer) == layerOutOfOrder else { return Examined(pair, vector.own) }
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

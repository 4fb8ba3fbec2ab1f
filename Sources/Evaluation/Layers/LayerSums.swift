import TensorCore

/// The sums of one layer over all samples: where its results may be those of classes that the other model has in another
/// order, in both orders.
struct LayerSums {
  private var sums = DifferenceSums()
  /// With the baseline's classes in the other's order.
  private var arranged = DifferenceSums()

  /// - Parameters:
  ///   - shape: that of both.
  ///   - order: where the other has the baseline's classes; nil in the same places.
  mutating func add(_ baseline: [Float], _ other: [Float], _ shape: Shape, order: ClassOrder?) {
    sums.add(baseline, other)
    guard let order, shape.dimensions.last == order.count else { return }
    arranged.add(order.arranged(baseline), other)
  }

  /// Adds what was added up elsewhere, of other samples.
  mutating func add(_ other: LayerSums) {
    sums.add(other.sums)
    arranged.add(other.arranged)
  }

  /// The figures in the order in which the two are nearer; nil before there is any number.
  var difference: ValueDifference? { sums.nearer(arranged).difference }
}

extension DifferenceSums {
  /// Those of the two that say of nearer numbers, these where they say the same.
  func nearer(_ other: DifferenceSums) -> DifferenceSums {
    guard let own = difference, let others = other.difference else { return self }
    return others.signalToNoise > own.signalToNoise ? other : self
  }
}

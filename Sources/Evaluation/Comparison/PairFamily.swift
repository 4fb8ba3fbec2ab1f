import Statistics

/// The accuracies of all pairs of models, corrected for how many they are, and their agreement.
struct PairFamily {
  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private let tally: ComparisonTally
  /// The group of each sample; nil where each stands alone.
  private let groups: [Int]?
  private let accuracies: [Pair: PairedAccuracy]
  private let top5: [Pair: PairedAccuracy]

  /// - Parameters:
  ///   - groups: the group of each sample; nil where each stands alone.
  ///   - hasTop5: whether there are more than five classes.
  init(_ tally: ComparisonTally, groups: [Int]?, hasTop5: Bool) {
    self.tally = tally
    self.groups = groups
    let pairs = tally.models.indices.flatMap { first in
      ((first + 1)..<tally.models.count).map { Pair(first: first, second: $0) }
    }
    func corrected(_ count: Int) -> [Pair: PairedAccuracy] {
      let outcomes = pairs.map { pair in
        let (first, second) = (tally.isWithin(count, pair.first), tally.isWithin(count, pair.second))
        let effect = Self.designEffect(zip(first, second).map { ($1 ? 1 : 0) - ($0 ? 1 : 0) }, groups)
        return (PairedOutcomes(first, second), effect)
      }
      return Dictionary(uniqueKeysWithValues: zip(pairs, PairedAccuracy.corrected(outcomes)))
    }
    accuracies = tally.isLabelled ? corrected(1) : [:]
    top5 = tally.isLabelled && hasTop5 ? corrected(5) : [:]
  }

  static func designEffect(_ values: [Double], _ groups: [Int]?) -> Double {
    groups.map { DesignEffect.of(values, groups: $0) } ?? 1
  }

  /// The second's accuracy beside the first's; nil without labels.
  func accuracy(_ first: Int, _ second: Int) -> PairedAccuracy? {
    accuracies[Pair(first: first, second: second)]
  }

  /// The same for the right class being among the five best.
  func top5(_ first: Int, _ second: Int) -> PairedAccuracy? { top5[Pair(first: first, second: second)] }

  /// Samples to which both give the same answer.
  func agreement(_ first: Int, _ second: Int) -> Proportion {
    let isSame = zip(tally.models[first].answers, tally.models[second].answers).map { $0 == $1 }
    return Proportion(
      isSame.count(where: \.self), of: isSame.count,
      designEffect: Self.designEffect(isSame.map { $0 ? 1 : 0 }, groups))
  }

  /// All pairs without the baseline.
  func furtherPairs(_ models: [ModelReport]) -> [ModelPair] {
    accuraciesWithoutBaseline.map { first, second in
      let (agreement, accuracy) = (agreement(first, second), accuracy(first, second))
      return ModelPair(
        first: first, second: second, agreement: agreement, accuracy: accuracy,
        flips: tally.flips(first, second),
        speed: SpeedRatio(baseline: tally.models[first].runs, other: tally.models[second].runs),
        verdict: Verdict.sentence(models[first].letter, models[second].letter, accuracy, agreement))
    }
  }

  private var accuraciesWithoutBaseline: [(Int, Int)] {
    tally.models.indices.dropFirst().flatMap { first in
      ((first + 1)..<tally.models.count).map { (first, $0) }
    }
  }
}

import Statistics

/// What a change makes of a model's answers to some samples, and whether that is more than chance.
struct Remedy {
  private let outcomes: PairedOutcomes
  /// How likely such a difference is by chance, over all changes that were tried (McNemar, Bonferroni).
  let chance: Double

  /// - Parameters:
  ///   - now: whether each answer is as it should be.
  ///   - then: the same with the change.
  ///   - tried: changes of which this is one.
  init(now: [Bool], then: [Bool], tried: Int) {
    outcomes = PairedOutcomes(now, then)
    chance = min(1, outcomes.mcNemar * Double(tried))
  }

  var count: Int { outcomes.count }
  var gain: Double { outcomes.difference }
  var now: Double { share(outcomes.onlyFirst) }
  var then: Double { share(outcomes.onlySecond) }

  /// Nil where the change is no better, or may be so by chance.
  var certainty: Culprit.Certainty? {
    if chance < 0.01, gain >= 0.05 { return .found }
    return chance < 0.2 && gain >= 0.15 ? .suspected : nil
  }

  func evidence(of samples: String, isLabelled: Bool) -> [Culprit.Evidence] {
    let what = isLabelled ? "right" : "in agreement"
    return [
      .init(name: "share \(what) as it is", value: now),
      .init(name: "share \(what) with the change", value: then),
      .init(name: samples, value: Double(count)),
      .init(name: "chance of such a difference", value: chance),
    ]
  }

  private func share(_ alone: Int) -> Double { Double(outcomes.bothRight + alone) / Double(max(count, 1)) }
}

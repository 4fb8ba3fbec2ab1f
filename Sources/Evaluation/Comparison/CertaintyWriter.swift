import Statistics

/// What the models' own thresholds and rejections make of their answers.
struct CertaintyWriter {
  private let tally: ComparisonTally
  private let rules: [CertaintyRule]
  /// The group of each sample; nil where each stands alone.
  private let groups: [Int]?

  /// - Returns: nil where no model calls any answer uncertain.
  init?(_ tally: ComparisonTally, _ rules: [CertaintyRule], groups: [Int]?) {
    guard rules.contains(where: \.isAny) else { return nil }
    (self.tally, self.rules, self.groups) = (tally, rules, groups)
  }

  func report(of model: Int) -> CertaintyReport {
    let reasons = tally.models[model].reasons
    let right = ShareDifference.share(rightness(model), groups)
    return CertaintyReport(
      threshold: rules[model].lowestScore, noveltyThreshold: rules[model].noveltyThreshold,
      certain: share(isCertain(model)), lowScore: share(reasons.map { $0 == .lowScore }),
      foreign: share(reasons.map { $0 == .foreign }), right: right.count > 0 ? right : nil, reasons: reasons)
  }

  func change(of model: Int) -> CertaintyChange {
    let outcomes = PairedOutcomes(isCertain(0), isCertain(model))
    let differences = zip(isCertain(0), isCertain(model)).map { ($1 ? 1.0 : 0) - ($0 ? 1 : 0) }
    let paired = PairedDifference(outcomes, designEffect: PairFamily.designEffect(differences, groups))
    return CertaintyChange(
      certain: outcomes.difference, certainInterval: paired.interval(),
      right: ShareDifference(rightness(0), rightness(model), groups: groups))
  }

  private func isCertain(_ model: Int) -> [Bool] {
    let counted = tally.models[model]
    return zip(counted.answers, counted.reasons).map { $0 != counted.noAnswer && $1 == nil }
  }

  /// Whether each certain answer is right; nil of the others, and of all without labels.
  private func rightness(_ model: Int) -> [Bool?] {
    zip(isCertain(model), tally.models[model].places).map { isCertain, place in
      isCertain ? place.map { $0 == 0 } : nil
    }
  }

  private func share(_ values: [Bool]) -> Proportion {
    Proportion(
      values.count(where: \.self), of: values.count,
      designEffect: PairFamily.designEffect(values.map { $0 ? 1 : 0 }, groups))
  }
}

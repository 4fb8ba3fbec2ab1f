import Statistics
import TensorCore

/// Looks for names that belong to other classes: all moved by the same number of places, or exchanged.
struct LabelCulprits {
  let model: Int
  let letter: String
  let isLabelled: Bool
  let classCount: Int

  /// How likely a find may be by chance at most, over all that is tried.
  private static let chance = 0.001

  /// - Parameters:
  ///   - answers: the class of each sample by the model's numbering.
  ///   - truths: the class that it is, or that the baseline says it is, by the same numbering; nil where the model
  ///     does not know it.
  func culprits(answers: [Int?], truths: [Int?]) -> [Culprit] {
    let known = zip(answers, truths).compactMap { answer, truth in
      answer.flatMap { answer in truth.map { (answer: answer, truth: $0) } }
    }
    guard known.count >= 8, classCount >= 2 else { return [] }
    let (offset, permutation) = (offset(known), permutation(known))
    // Some of exchanged names may be as many places off; an offset of all explains as much more simply.
    let isOffset = offset?.remedied ?? 0 >= (permutation?.remedied ?? 0) - 0.05
    return [isOffset ? offset : permutation].compactMap(\.self)
  }

  /// The number of places by which most wrong answers are off, round the end, when that makes far more of them
  /// right than the names as they are.
  private func offset(_ known: [(answer: Int, truth: Int)]) -> Culprit? {
    var counts = [Int](repeating: 0, count: classCount)
    for (answer, truth) in known where truth < classCount {
      counts[(truth - answer + classCount) % classCount] += 1
    }
    guard let best = counts.indices.dropFirst().max(by: { (counts[$0], $1) < (counts[$1], $0) }) else {
      return nil
    }
    let total = Double(known.count)
    let (now, then) = (Double(counts[0]) / total, Double(counts[best]) / total)
    let chance = BinomialTest.evenOdds(counts[0], of: counts[0] + counts[best]) * Double(classCount - 1)
    guard counts[best] > counts[0], then - now >= 0.1, chance < Self.chance else { return nil }
    let places = best <= classCount / 2 ? best : best - classCount
    let count = "\(abs(places)) place\(abs(places) == 1 ? "" : "s")"
    return Culprit(
      kind: .labelOffset, model: model, certainty: .found,
      statement: "The classes of \(letter) are \(count) off: with every answer moved by "
        + "\(places > 0 ? "+" : "")\(places), \(share(then)) instead of \(Verdict.percent(now)).",
      advice: abs(places) == 1 && (1000...1001).contains(classCount)
        ? "The list of labels has a background class where the model has none, or the other way round: 1000 and 1001 "
          + "classes of ImageNet."
        : "Give the labels in the order that the model was trained with (\(Setting.labels)).",
      evidence: evidence(now, then, chance) + [.init(name: "places", value: Double(places))], remedied: then)
  }

  /// One-to-one new names that make far more answers right, found on one half of the samples and counted on the
  /// other.
  private func permutation(_ known: [(answer: Int, truth: Int)]) -> Culprit? {
    let halves = [0, 1].map { half in known.indices.filter { $0 % 2 == half }.map { known[$0] } }
    var renamed: [Bool] = []
    var asIs: [Bool] = []
    var exchanged: Set<Int> = []
    for (fit, test) in [(halves[0], halves[1]), (halves[1], halves[0])] {
      let names = Self.names(fit)
      exchanged.formUnion(names.filter { $0.key != $0.value }.keys)
      renamed += test.map { names[$0.answer] ?? $0.answer == $0.truth }
      asIs += test.map { $0.answer == $0.truth }
    }
    let outcomes = PairedOutcomes(asIs, renamed)
    let total = Double(known.count)
    let now = Double(asIs.count(where: \.self)) / total
    let then = Double(renamed.count(where: \.self)) / total
    guard then - now >= 0.2, then >= 0.5, outcomes.mcNemar < Self.chance else { return nil }
    return Culprit(
      kind: .permutedLabels, model: model, certainty: .found,
      statement:
        "Classes of \(letter) have each other's names, \(exchanged.count) of them: with the names that "
        + "half of the samples show, \(share(then)) of the other half instead of \(Verdict.percent(now)).",
      advice: "Give the labels in the order that the model was trained with (\(Setting.labels)).",
      evidence: evidence(now, then, outcomes.mcNemar) + [
        .init(name: "classes with another name", value: Double(exchanged.count))
      ], remedied: then)
  }

  /// For each answer the class that it most often means, no class twice.
  private static func names(_ known: [(answer: Int, truth: Int)]) -> [Int: Int] {
    let matrix = ConfusionMatrix(truths: known.map(\.truth), answers: known.map(\.answer))
    let cells = matrix.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var names: [Int: Int] = [:]
    var taken: Set<Int> = []
    for (cell, _) in cells where names[cell.answer] == nil && !taken.contains(cell.truth) {
      names[cell.answer] = cell.truth
      taken.insert(cell.truth)
    }
    return names
  }

  private func share(_ value: Double) -> String {
    "\(Verdict.percent(value)) \(isLabelled ? "are right" : "agree with A")"
  }

  private func evidence(_ now: Double, _ then: Double, _ chance: Double) -> [Culprit.Evidence] {
    let what = isLabelled ? "right" : "in agreement"
    return [
      .init(name: "share \(what) as it is", value: now),
      .init(name: "share \(what) with other names", value: then),
      .init(name: "chance of such a difference", value: min(1, chance)),
    ]
  }
}

import Apus
import Images
import Statistics
import TensorCore

/// Runs some of the pictures prepared in other ways, and says when one of these is better beyond chance.
struct PreparationSearch {
  private let comparison: Comparison
  private let tally: ComparisonTally

  /// Pictures that are run again: enough for a test to tell, and few enough to wait for.
  private static let counts = 16...96
  /// Milliseconds that all runs together may take, unless the comparison itself took longer.
  private static let budget = 15_000.0

  init(_ comparison: Comparison, _ tally: ComparisonTally) {
    self.comparison = comparison
    self.tally = tally
  }

  /// - Throws: ``ApusError`` of kind `cancelled`.
  func culprits() throws(ApusError) -> [Culprit] {
    guard tally.items.allSatisfy({ $0.content.isPicture }), let first = picture(tally.items[0]) else {
      return []
    }
    var trials: [Trial] = []
    for index in comparison.entries.indices {
      guard let preprocessor = comparison.entries[index].model.preprocessor else { continue }
      // What a picture cannot be prepared for is no alternative.
      let variations =
        (try? PictureVariation.all(for: preprocessor, others: others(than: index), picture: first)) ?? []
      trials += variations.map { Trial(model: index, variation: $0) }
    }
    var random = SplitMix64(seed: comparison.options.seed)
    for position in random.sample(sampleCount(of: trials), of: Array(tally.items.indices)) {
      guard let image = picture(tally.items[position]) else { continue }
      for index in trials.indices { try run(&trials[index], position, image) }
    }
    return tally.isLabelled ? labelled(trials) : unlabelled(trials)
  }

  /// A way of preparing pictures for one model, and what came of it.
  private struct Trial {
    let model: Int
    let variation: PictureVariation
    /// The best class of each sample that was run, by the sample's position.
    var answers: [(sample: Int, answer: Int)] = []
  }

  /// The baseline's preparation; for the baseline itself those of all others.
  private func others(than index: Int) -> [(letter: String, preprocessor: Preprocessor)] {
    let others = index == 0 ? Array(comparison.entries.indices.dropFirst()) : [0]
    return others.compactMap { other in
      comparison.entries[other].model.preprocessor.map { (ReportWriter.letter(other), $0) }
    }
  }

  private func picture(_ item: DataSet.Item) -> RGBImage? {
    guard case .picture(let image)? = try? comparison.sample(item) else { return nil }
    return image
  }

  private func sampleCount(of trials: [Trial]) -> Int {
    let costs = tally.models.map { $0.runs.mean + $0.preparations.mean }
    let spent = tally.models.reduce(0.0) { $0 + $1.runs.reduce(0, +) }
    let perPicture = trials.reduce(0.0) { $0 + costs[$1.model] }
    let affordable = Int(min(max(Self.budget, spent / 2) / max(perPicture, 1e-3), 1e6))
    return min(max(affordable, Self.counts.lowerBound), Self.counts.upperBound)
  }

  private func run(_ trial: inout Trial, _ position: Int, _ image: RGBImage) throws(ApusError) {
    let model = comparison.entries[trial.model].model
    let outputs: ClassOutputs
    do throws(ApusError) {
      outputs = try model.outputs(
        for: .picture(trial.variation.transform(image)), preparedBy: trial.variation.preprocessor)
    } catch {
      if error.kind == .cancelled { throw error }
      return
    }
    let own = try? model.scores(of: outputs)
    let answer = own.map { Ranking.best(comparison.space.scores($0, of: trial.model)) }
    trial.answers.append((position, answer ?? tally.models[trial.model].noAnswer))
  }

  private func labelled(_ trials: [Trial]) -> [Culprit] {
    comparison.entries.indices.compactMap { index in
      best(trials.filter { $0.model == index }) { tally.truths[$0] }
    }
  }

  /// Without labels a model has another one's answers to agree with; which of the two is prepared wrongly, shows by
  /// whose change brings them nearer to each other.
  private func unlabelled(_ trials: [Trial]) -> [Culprit] {
    var culprits: [Culprit] = []
    for other in comparison.entries.indices.dropFirst() {
      let changed = best(trials.filter { $0.model == other }) { tally.models[0].answers[$0] }
      let base = best(trials.filter { $0.model == 0 }) { tally.models[other].answers[$0] }
      let finds = [changed, base].compactMap(\.self)
      if let best = finds.max(by: { $0.remedied ?? 0 < $1.remedied ?? 0 }) { culprits.append(best) }
    }
    // Several models may point at the baseline.
    var seen: Set<Int?> = []
    return culprits.filter { seen.insert($0.model).inserted }
  }

  /// A preparation that another model is given is named rather than one that nobody uses, and is better by no more.
  private static let leastLead = 0.05

  /// The best of a model's trials, when it is better than the preparation in use.
  /// - Parameter reference: the class that a sample should have.
  private func best(_ trials: [Trial], reference: (Int) -> Int?) -> Culprit? {
    let remedies = trials.map { trial in
      // What another model does is one question by itself, and no fishing in many.
      Remedy(
        now: trial.answers.map { tally.models[trial.model].answers[$0.sample] == reference($0.sample) },
        then: trial.answers.map { $0.answer == reference($0.sample) },
        tried: trial.variation.isInUse ? 1 : trials.count)
    }
    func worth(_ index: Int) -> Double {
      remedies[index].gain + (trials[index].variation.isInUse ? Self.leastLead : 0)
    }
    let better = remedies.indices.filter { remedies[$0].certainty != nil }
    guard let best = better.max(by: { worth($0) < worth($1) }),
      let certainty = remedies[best].certainty
    else { return nil }
    return culprit(trials[best], remedies[best], certainty)
  }

  private func culprit(_ trial: Trial, _ remedy: Remedy, _ certainty: Culprit.Certainty) -> Culprit {
    let what = tally.isLabelled ? "are right" : "agree with \(trial.model == 0 ? "the others" : "A")"
    return Culprit(
      kind: trial.variation.kind, model: trial.model, certainty: certainty,
      statement: "\(ReportWriter.letter(trial.model)) is prepared in another way than it was made for: with "
        + "\(trial.variation.name), \(Verdict.percent(remedy.then)) of \(remedy.count) pictures \(what) instead of "
        + "\(Verdict.percent(remedy.now)).",
      advice: trial.variation.advice,
      evidence: remedy.evidence(of: "pictures", isLabelled: tally.isLabelled), remedied: remedy.then)
  }
}

extension SampleReport.Content {
  var isPicture: Bool {
    if case .picture = self { true } else { false }
  }
}

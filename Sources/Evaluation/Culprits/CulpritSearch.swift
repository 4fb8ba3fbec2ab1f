import Statistics
import TensorCore

/// Looks for the usual causes of bad figures.
struct CulpritSearch {
  /// What was found.
  struct Findings {
    /// What is certain first.
    var culprits: [Culprit] = []
    /// What the files of each model say otherwise than the baseline's, by its position.
    var settings: [Int: [SettingDifference]] = [:]
  }

  let comparison: Comparison
  let tally: ComparisonTally
  let family: PairFamily
  let layers: [LayerReport]

  init(_ comparison: Comparison, _ tally: ComparisonTally, _ family: PairFamily, layers: [LayerReport]) {
    self.comparison = comparison
    self.tally = tally
    self.family = family
    self.layers = layers
  }

  /// - Throws: ``ApusError`` of kind `cancelled`.
  func findings() throws(ApusError) -> Findings {
    var findings = Findings()
    var culprits: [Culprit] = []
    let preparations = try PreparationSearch(comparison, tally).culprits()
    let sample = tally.items.first.flatMap { try? comparison.sample($0) }
    for index in comparison.entries.indices {
      culprits += OutputCulprits(shape: tally.models[index].shape, subject(index)).culprits
      var remedies = preparations.filter { $0.model == index }
      guard index > 0 else {
        culprits += causes(index, remedies)
        continue
      }
      let pair = PairSearch(comparison.entries, other: index, sample: sample)
      let tokens = try TokenizerSearch(comparison: comparison, tally: tally).finding(index)
      findings.settings[index] = pair.settings + [tokens.difference].compactMap(\.self)
      remedies += [tokens.culprit].compactMap(\.self)
      // With other numbers inside, another preparation may help by accident.
      let isPreparedOtherwise = !remedies.isEmpty || preparations.contains { $0.model == 0 }
      let inputRange = isPreparedOtherwise ? [] : [pair.inputRange].compactMap(\.self)
      culprits =
        pair.culprits + inputRange + layers(index, pair.culprits) + culprits
        + causes(index, remedies, isBroken: pair.culprits.contains { $0.certainty == .found })
    }
    findings.culprits = sorted(culprits, findings.settings)
    return findings
  }

  /// What layers show, where the stored numbers themselves do not say it.
  private func layers(_ index: Int, _ known: [Culprit]) -> [Culprit] {
    known.contains { $0.certainty == .found }
      ? [] : layers.filter { $0.other == index }.flatMap(\.culprits)
  }

  /// The certain ones; suspicions about models that are worse, and of which nothing certain is known; where there is none
  /// either, that their files differ.
  private func sorted(_ culprits: [Culprit], _ settings: [Int: [SettingDifference]]) -> [Culprit] {
    let found = culprits.filter { $0.certainty == .found }
    let known = Set(found.map(\.model))
    let suspected = culprits.filter { culprit in
      culprit.certainty == .suspected && !known.contains(culprit.model)
        && (culprit.model.map { isWorse($0) || (culprit.kind == .softmaxTwice && isLessSure($0)) } ?? true)
    }
    let explained = known.union(suspected.map(\.model))
    let configurations = comparison.entries.indices.filter { !explained.contains($0) && isWorse($0) }
      .compactMap { SettingSearch.culprit($0, settings: settings[$0] ?? []) }
    return found + suspected + configurations
  }

  /// Whether a model's answers are worse than another's beyond chance; without labels, whether it agrees with the
  /// baseline, or the baseline with it, for fewer than 95 of 100 samples of this kind.
  private func isWorse(_ model: Int) -> Bool {
    comparison.entries.indices.contains { other in
      guard other != model, model == 0 || other == 0 else { return false }
      guard let accuracy = family.accuracy(min(model, other), max(model, other)) else {
        return family.agreement(0, max(model, other)).interval.upper < 0.95
      }
      return accuracy.isSignificant && (model > other) == (accuracy.difference < 0)
    }
  }

  /// Whether another model tells classes apart that this one hardly does: answers, and who is right, may be the same.
  private func isLessSure(_ model: Int) -> Bool {
    tally.models.indices.contains { $0 != model && tally.models[$0].shape.greatestSpread > 2 }
  }

  /// Why a model's answers are wrong. What a wrong preparation confuses may look like exchanged names, and the other
  /// way round: the cause whose removal explains more stands.
  /// - Parameter isBroken: whether the model has wrong numbers inside, by which it may well say the same of everything.
  private func causes(_ index: Int, _ remedies: [Culprit], isBroken: Bool = false) -> [Culprit] {
    let names = labels(index)
    func explained(_ culprits: [Culprit]) -> Double { culprits.compactMap(\.remedied).max() ?? 0 }
    if !names.isEmpty, explained(names) > explained(remedies) { return names }
    return remedies.isEmpty && !isBroken ? constantAnswer(index) : remedies
  }

  private func subject(_ index: Int) -> OutputCulprits.Subject {
    let entry = comparison.entries[index]
    return OutputCulprits.Subject(
      index: index, letter: ReportWriter.letter(index), classCount: entry.model.classCount,
      outputType: entry.model.outputType)
  }

  /// The right classes; without labels, the baseline's answers.
  private func reference(for index: Int) -> [Int]? {
    if tally.isLabelled { return tally.truths.compactMap(\.self) }
    return index == 0 ? nil : tally.models[0].answers
  }

  private func labels(_ index: Int) -> [Culprit] {
    guard let reference = reference(for: index) else { return [] }
    let letter = ReportWriter.letter(index)
    let numbering = comparison.space.positions[index]
    let search = LabelCulprits(
      model: index, letter: letter, isLabelled: tally.isLabelled,
      classCount: comparison.entries[index].model.classCount)
    let owners = Dictionary(numbering.enumerated().map { ($1, $0) }) { first, _ in first }
    return search.culprits(answers: tally.models[index].ownAnswers, truths: reference.map { owners[$0] })
  }

  private func constantAnswer(_ index: Int) -> [Culprit] {
    let answers = tally.models[index].answers.filter { $0 != tally.models[index].noAnswer }
    let others = reference(for: index) ?? (comparison.entries.count > 1 ? tally.models[1].answers : [])
    return ConstantAnswer(
      model: index, letter: ReportWriter.letter(index), classes: comparison.space.names
    ).culprits(answers: answers, reference: others)
  }
}
